use constraint_runtime::prelude::*;

system! {
    struct S;

    particle bead[3]: Point2 { mass: 1 }
    for i in 0..3 { constraint rod: norm(bead[i]) == 1; }
}

fn main() {}
