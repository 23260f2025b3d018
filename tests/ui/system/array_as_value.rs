use constraint_runtime::prelude::*;

system! {
    struct S;

    particle bead[3]: Point2 { mass: 1 }
    constraint rod: norm(bead) == 1;
}

fn main() {}
