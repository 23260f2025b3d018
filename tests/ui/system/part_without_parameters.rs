use constraint_runtime::prelude::*;

system! {
    struct S;

    part Leg;
    coordinate x;
    kinetic velocity(x)^2;
}

fn main() {}
