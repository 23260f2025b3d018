use constraint_runtime::prelude::*;

system! {
    struct S { m: f64 = 1 }

    particle p: Point2 { mass: 1 }
}

fn main() {}
