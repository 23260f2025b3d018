use constraint_runtime::prelude::*;

system! {
    struct S;

    part Leg { m: Real, l: Real = 1 } { particle foot: Point2 { mass: m*l } }
    leg: Leg { l: 2 }
}

fn main() {}
