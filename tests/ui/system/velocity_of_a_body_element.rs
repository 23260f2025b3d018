use constraint_runtime::prelude::*;

system! {
    struct S;

    body wheel[2]: Rigid3 { mass: 1, inertia: [1, 1, 2] }
    force wheel[0]: velocity(wheel[1]);
}

fn main() {}
