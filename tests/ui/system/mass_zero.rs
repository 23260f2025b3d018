use constraint_runtime::prelude::*;

system! {
    struct S;

    particle bead[3]: Point2 { mass: 0 }
}

fn main() {}
