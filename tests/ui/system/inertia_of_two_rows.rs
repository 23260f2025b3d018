use constraint_runtime::prelude::*;

system! {
    struct S { a: Real, b: Real, c: Real }

    body wheel: Rigid3 { mass: 1, inertia: [[1, 0], [0, 1]] }
}

fn main() {}
