use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate x;
    kinetic x^2;
}

fn main() {}
