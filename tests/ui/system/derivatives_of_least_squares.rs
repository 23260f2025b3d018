use constraint_runtime::prelude::*;

system! {
    #[redundant(least_squares)]
    #[derivatives]
    struct Twice { m: Real = 1 }
    particle bead: Point2 { mass: m }
    constraint level: bead.y == 0;
    constraint again: 2*bead.y == 0;
}

fn main() {}
