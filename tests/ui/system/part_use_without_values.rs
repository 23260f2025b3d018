use constraint_runtime::prelude::*;

system! {
    struct S;

    part Leg { l: Real } { particle foot: Point2 { mass: l } }
    leg: Leg;
}

fn main() {}
