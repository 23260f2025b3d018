use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: p.x }
}

fn main() {}
