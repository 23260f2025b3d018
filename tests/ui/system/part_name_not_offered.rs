use constraint_runtime::prelude::*;

system! {
    struct S;

    part Leg { m: Real } { particle foot, knee: Point2 { mass: m } }
    leg[2]: Leg { m: 1 }
    force leg[1].foott: [0, 1];
    force leg[0].hip: [0, 1];
}

fn main() {}
