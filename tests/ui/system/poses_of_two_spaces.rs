use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate q;
    body a: Rigid2 = pose([0, 0], q) * pose([0, 0, 1]) { mass: 1, inertia: 1 }
}

fn main() {}
