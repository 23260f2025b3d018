use constraint_runtime::prelude::*;

system! {
    struct S { k: Real = 1 }

    particle p: Point2 { mass: 1 }
    force k: 1;
}

fn main() {}
