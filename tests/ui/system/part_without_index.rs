use constraint_runtime::prelude::*;

system! {
    struct S;

    part Leg { m: Real } { particle foot: Point2 { mass: m } }
    for i in 0..3 { leg: Leg { m: 1 } }
}

fn main() {}
