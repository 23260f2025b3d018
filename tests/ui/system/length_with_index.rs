use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate theta[i in 0..8];
    kinetic velocity(theta[0])^2;
}

fn main() {}
