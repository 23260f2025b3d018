use constraint_runtime::prelude::*;

system! {
    struct S;

    part Leg { m: Real } { particle foot: Point2 { mass: m } constraint ground: foot.y == 0; }
    leg[2]: Leg { m: 1 }
    output load = multiplier(leg[1].grund);
}

fn main() {}
