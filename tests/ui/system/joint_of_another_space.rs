use constraint_runtime::prelude::*;

system! {
    struct S;

    body a: Rigid2 { mass: 1, inertia: 1 }
    joint knee: Hinge { a: a, r1: [0, 1], r2: [0, 0], axis: [0, 1] }
}

fn main() {}
