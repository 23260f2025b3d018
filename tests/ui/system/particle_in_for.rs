use constraint_runtime::prelude::*;

system! {
    struct S;

    for i in 0..3 { particle p: Point2 { mass: 1 } }
}

fn main() {}
