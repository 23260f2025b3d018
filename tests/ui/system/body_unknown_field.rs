use constraint_runtime::prelude::*;

system! {
    struct S;

    body wheel: Rigid2 { mass: 1, inertia: 1, radius: 2 }
}

fn main() {}
