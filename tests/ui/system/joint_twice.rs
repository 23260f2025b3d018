use constraint_runtime::prelude::*;

system! {
    struct S;

    body a: Rigid3 { mass: 1, inertia: [1, 1, 1] }
    joint knee: Ball { a: a, r1: [0, 0, 1], r2: [0, 0, 0] }
    joint knee: Ball { a: a, r1: [0, 0, 1], r2: [0, 0, 1] }
}

fn main() {}
