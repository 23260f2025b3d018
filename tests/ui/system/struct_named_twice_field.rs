use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1, m: Real = 2 }

    particle p: Point2 { mass: 1 }
}

fn main() {}
