use constraint_runtime::prelude::*;

system! {
    struct S;

    part Leg { m: Real } {
        particle foot: Point2 { mass: m }
        force foot: trunk - foot;
    }
    particle trunk: Point2 { mass: 1 }
    leg: Leg { m: 1 }
}

fn main() {}
