use constraint_runtime::prelude::*;

// Each link has exponents of its own, so that no two rows are alike.
system! {
    struct Chain { m: Real = 1 }

    particle bead[12000]: Point2 { mass: m }
    for i in 1..12000 { constraint link[i]: bead[i].x^(i % 19 + 1)*bead[i].y^(i % 23 + 1)*bead[i - 1].x^(i % 29 + 1) == m; }
}

system! {
    struct Springs { k: Real = 1 }

    particle bead[6000]: Point2 { mass: 1 }
    for i in 1..6000 { potential k*norm_squared(bead[i] - bead[i - 1])/2; }
}

fn main() {}
