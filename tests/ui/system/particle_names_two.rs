use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }

    particle a, b: Point2 { mass: m }
    force b: [0, 1];
}

fn main() {}
