use constraint_runtime::prelude::*;

system! {
    #[derivatives]
    struct Beads { m: Real = 1 }
    particle bead[300]: Point2 { mass: m }
}

fn main() {}
