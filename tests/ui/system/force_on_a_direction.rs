use constraint_runtime::prelude::*;

system! {
    struct S;

    body wheel: Rigid3 { mass: 1, inertia: [1, 1, 2] }
    force dir(wheel, [0, 0, 1]): [1, 0, 0];
}

fn main() {}
