use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = }

    particle p: Point2 { mass: 1 }
}

fn main() {}
