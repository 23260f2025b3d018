use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    gravity [0, -p.y];
}

fn main() {}
