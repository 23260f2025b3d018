use constraint_runtime::prelude::*;

system! {
    struct S;

    part Leg { length: Real } { particle foot: Point2 { mass: length } }
    leg: Leg { length: 1, lenght: 2 }
}

fn main() {}
