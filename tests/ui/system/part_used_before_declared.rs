use constraint_runtime::prelude::*;

system! {
    struct S;

    leg: Leg { m: 1 }
    part Leg { m: Real } { particle foot: Point2 { mass: m } }
}

fn main() {}
