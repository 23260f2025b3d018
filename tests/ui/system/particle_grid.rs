use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }

    particle bead[4][4]: Point2 { mass: m }
    force bead[1]: [0, 1];
}

fn main() {}
