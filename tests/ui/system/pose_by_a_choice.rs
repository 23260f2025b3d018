use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate q[2];
    body arm: Rigid2 = if q[0] > 0 { pose([0, 0], q[0]) } else { pose([0, 1], q[1]) } { mass: 1, inertia: 1 }
}

fn main() {}
