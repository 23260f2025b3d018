use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    for i in 0..2 { body wheel: Rigid2 { mass: 1, inertia: 1 } }
}

fn main() {}
