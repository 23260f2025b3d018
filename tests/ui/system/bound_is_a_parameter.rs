use constraint_runtime::prelude::*;

system! {
    struct S { n: Real = 3 }

    particle bead[3]: Point2 { mass: 1 }
    for i in 0..n { force bead[i]: [0, -1]; }
}

fn main() {}
