use constraint_runtime::prelude::*;

system! {
    struct Door { m: Real = 1 }
    body door: Rigid3 { mass: m, inertia: [1, 1, 1] }
    joint pin: Hinge { b: door, r1: [0, 0, 0], r2: [0, 0, 0] }
    joint hook: Hinge { b: door, axis: [0, 0, 1] }
}

fn main() {}
