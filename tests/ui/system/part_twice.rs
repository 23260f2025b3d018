use constraint_runtime::prelude::*;

system! {
    struct S;

    part Leg { m: Real } { particle foot: Point2 { mass: m } }
    part Leg { m: Real } { particle foot: Point2 { mass: m } }
    leg: Leg { m: 1 }
}

fn main() {}
