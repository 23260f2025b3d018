use constraint_runtime::prelude::*;

system! {
    struct S { a: Real, b: Real, c: Real }

    body wheel: Rigid3 { mass: 1, inertia: [a, -1, 1] }
}

fn main() {}
