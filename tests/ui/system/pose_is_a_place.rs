use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate q;
    body a: Rigid2 = [q, 0] { mass: 1, inertia: 1 }
}

fn main() {}
