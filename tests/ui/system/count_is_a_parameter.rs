use constraint_runtime::prelude::*;

system! {
    struct S { n: Real = 3 }

    particle bead[n]: Point2 { mass: 1 }
}

fn main() {}
