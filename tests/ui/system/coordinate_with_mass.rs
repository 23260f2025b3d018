use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }

    coordinate angle { mass: 1 };
    kinetic m*velocity(angle)^2;
}

fn main() {}
