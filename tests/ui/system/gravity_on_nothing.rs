use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate x;
    kinetic velocity(x)^2;
    gravity [0, -1];
}

fn main() {}
