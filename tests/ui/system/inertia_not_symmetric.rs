use constraint_runtime::prelude::*;

system! {
    struct S { a: Real, b: Real, c: Real }

    body wheel: Rigid3 { mass: 1, inertia: [[a, b, 0], [c, a, 0], [0, 0, 1]] }
}

fn main() {}
