use constraint_runtime::prelude::*;

system! {
    struct S;

    body a: Rigid2 { mass: 1, inertia: 1 }
    body b: Rigid2 { mass: 1, inertia: norm(at(a, [1, 0])) }
}

fn main() {}
