use constraint_runtime::prelude::*;

// Each link has a number of its own, so that no two rows are alike.
system! {
    struct Chain { m: Real = 1 }

    particle bead[12000]: Point2 { mass: m }
    for i in 1..12000 { constraint link[i]: norm_squared(bead[i] - bead[i - 1]) == i; }
}

system! {
    struct Springs { k: Real = 1 }

    particle bead[6000]: Point2 { mass: 1 }
    for i in 1..6000 { potential k*norm_squared(bead[i] - bead[i - 1])/2; }
}

fn main() {}
