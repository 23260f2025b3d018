use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }

    particle bead[N]: Point2 { mass: m }
    for i in 0..N { force bead[i]: [0, 1]; }
}

fn main() {}
