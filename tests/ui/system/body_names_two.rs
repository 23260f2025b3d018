use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }

    body a, b: Rigid3 { mass: m, inertia: [1, 1, 1] }
    force a: [0, 0, 1];
    force b: [0, 0, 1];
}

fn main() {}
