use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p[i in 0..4], q: Point2 { mass: i + 1 }
}

fn main() {}
