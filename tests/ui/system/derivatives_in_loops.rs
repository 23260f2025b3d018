use constraint_runtime::prelude::*;

system! {
    #[derivatives]
    #[solver(rolled)]
    struct Chain { m: Real = 1 }
    particle bead[20]: Point2 { mass: m }
    constraint anchor: norm(bead[0]) == 1;
    for i in 1..20 { constraint link[i]: norm(bead[i] - bead[i - 1]) == 1; }
}

fn main() {}
