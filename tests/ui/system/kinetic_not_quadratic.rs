use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate x;
    kinetic velocity(x)^3;
}

fn main() {}
