use constraint_runtime::prelude::*;

system! {
    struct S;

    particle bead[1000000]: Point2 { mass: 1 }
}

fn main() {}
