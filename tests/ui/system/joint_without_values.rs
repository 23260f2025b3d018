use constraint_runtime::prelude::*;

system! {
    struct S;

    body a: Rigid3 { mass: 1, inertia: [1, 1, 1] }
    joint knee: Ball;
}

fn main() {}
