use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }

    coordinate angle { symbol: "θ + 1" }, other;
    kinetic m*velocity(angle)^2 + velocity(other)^2;
}

fn main() {}
