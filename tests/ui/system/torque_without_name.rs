use constraint_runtime::prelude::*;

system! {
    struct S;

    body wheel: Rigid3 { mass: 1, inertia: [1, 1, 2] }
    torque: [0, 0, 1];
}

fn main() {}
