use constraint_runtime::prelude::*;

system! {
    struct S;

    part Leg { m: Real } { particle foot: Point2 { mass: m } }
    part Side { m: Real } { leg[2][2]: Leg { m: m } }
    side[2][2]: Side { m: 1 }
}

fn main() {}
