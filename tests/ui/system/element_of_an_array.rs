use constraint_runtime::prelude::*;

system! {
    struct S;
    particle p[2]: Point2 { mass: 1 }
    for i in 2..4 { particle p[i]: Point2 { mass: 1 } }
}

fn main() {}
