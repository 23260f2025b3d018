use constraint_runtime::prelude::*;

system! {
    struct S;

    body link: Rigid2 { mass: 1, inertia: 1 }
    input reach: Vector2;
    joint pin: Revolute { b: link, r1: reach, r2: [0, 1] }
}

fn main() {}
