use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p[2]: Point2 { mass: 1 }
    for i in 0..2 { gravity [0, -1]; }
}

fn main() {}
