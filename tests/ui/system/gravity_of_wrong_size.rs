use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point3 { mass: 1 }
    gravity [0, -1];
}

fn main() {}
