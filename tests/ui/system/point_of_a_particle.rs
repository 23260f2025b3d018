use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point3 { mass: 1 }
    body wheel: Rigid3 { mass: 1, inertia: [1, 1, 2] }
    constraint pin: at(p, [0, 0, 1]) == [0, 0, 0];
}

fn main() {}
