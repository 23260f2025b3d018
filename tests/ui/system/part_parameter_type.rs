use constraint_runtime::prelude::*;

system! {
    struct S;

    part Leg { m: f64 } { particle foot: Point2 { mass: m } }
    leg: Leg { m: 1 }
}

fn main() {}
