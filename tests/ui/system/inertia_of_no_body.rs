use constraint_runtime::prelude::*;

system! {
    struct S;

    body wheel: Rigid3 { mass: 1, inertia: [1, 3.1, 2] }
}

fn main() {}
