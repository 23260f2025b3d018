use constraint_runtime::prelude::*;

system! {
    struct S;

    part Leg { m: Real } { particle foot: Point2 { mass: n } }
    for i in 0..3 { leg[i]: Leg { m: i } }
    arm: Leg { m: 1 }
    force arm.foot: [0, 1];
}

fn main() {}
