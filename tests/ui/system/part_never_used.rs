use constraint_runtime::prelude::*;

system! {
    struct S;

    part Leg { m: Real } { particle foot: Point2 { mass: m } }
    particle bob: Point2 { mass: 1 }
}

fn main() {}
