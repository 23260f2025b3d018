use constraint_runtime::prelude::*;

system! {
    struct A;
    body a: Rigid2 { mass: 1, inertia: 1 }
    joint knee: Revolute { a: a, r1: [0, 1], r2: [0, 0], limits: [0, 1] }
}

system! {
    struct B;
    body a: Rigid2 { mass: 1, inertia: 1 }
    joint knee: Revolute { a: a, r1: [0, 1], r2: [0, 0], damping: 1 }
}

fn main() {}
