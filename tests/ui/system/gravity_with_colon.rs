use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    gravity p: [0, -1];
}

fn main() {}
