use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { weight: 1 }
}

fn main() {}
