use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }
    particle a, a: Point2 { mass: m }
    body b, c: Rigid2 { mass: x, inertia: 1 }
}

fn main() {}
