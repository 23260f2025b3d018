use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }

    coordinate a { symbol: "θ" }, b { symbol: "theta" };
    kinetic m*velocity(a)^2 + velocity(b)^2;
}

fn main() {}
