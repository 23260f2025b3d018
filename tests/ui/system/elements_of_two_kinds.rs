use constraint_runtime::prelude::*;

system! {
    struct S;
    for i in 0..2 { particle p[i]: Point2 { mass: 1 } }
    for i in 2..4 { particle p[i]: Point3 { mass: 1 } }
}

fn main() {}
