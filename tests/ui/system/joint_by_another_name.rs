use constraint_runtime::prelude::*;

system! {
    struct A;
    body a: Rigid3 { mass: 1, inertia: [1, 1, 1] }
    joint knee: Spherical { a: a, r1: [0, 0, 1], r2: [0, 0, 0] }
}

system! {
    struct B;
    body a: Rigid2 { mass: 1, inertia: 1 }
    joint knee: Hinge { a: a, r1: [0, 1], r2: [0, 0] }
}

fn main() {}
