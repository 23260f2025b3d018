use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate q;
    body a: Rigid2 = pose([0, 0], [0, 0, 1], q) { mass: 1, inertia: 1 }
}

fn main() {}
