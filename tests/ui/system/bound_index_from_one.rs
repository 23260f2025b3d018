use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p[i in 1..4]: Point2 { mass: i }
}

fn main() {}
