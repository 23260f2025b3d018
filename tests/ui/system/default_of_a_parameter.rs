use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1, g: Real = m }

    particle p: Point2 { mass: 1 }
}

fn main() {}
