use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }

    particle bead[16]: Point2 { mass: m }
    force bead[1][2]: [0, 1];
    constraint c: bead[1][2].x == 0;
}

fn main() {}
