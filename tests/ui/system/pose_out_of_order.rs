use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate q;
    body a[0]: Rigid2 = pose([0, 0], q) { mass: 1, inertia: 1 }
    body a[2]: Rigid2 = a[0] * pose([0, 1]) { mass: 1, inertia: 1 }
}

fn main() {}
