use constraint_runtime::prelude::*;

system! {
    struct S;

    particle bead[3]: Point2 { mass: 1 }
    for i in 0..3 { constraint rod[i]: norm(bead[i] - bead[i - 1]) == 1; }
}

fn main() {}
