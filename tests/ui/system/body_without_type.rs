use constraint_runtime::prelude::*;

system! {
    struct S;

    body wheel { mass: 1, inertia: 1 }
}

fn main() {}
