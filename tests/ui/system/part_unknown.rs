use constraint_runtime::prelude::*;

system! {
    struct S;

    part Leg { l: Real } { particle foot: Point2 { mass: l } }
    leg: Lge { l: 1 }
    left: Leg { l: 1 }
}

fn main() {}
