use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate x;
    kinetic velocity(x)^2/2;
    force velocity(x)^2: -1;
}

fn main() {}
