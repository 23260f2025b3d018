use constraint_runtime::prelude::*;

system! {
    struct S;

    body a: Rigid3 { mass: 1, inertia: [1, 1, 1] }
    joint knee: Hinge { a: a, r1: [0, 0, 1], axis: [0, 1, 0] }
}

fn main() {}
