use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point3 { mass: 1 }
    joint knee: Ball { r1: [0, 0, 1], r2: [0, 0, 0] }
}

fn main() {}
