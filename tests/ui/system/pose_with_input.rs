use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate x;
    input u;
    body arm: Rigid2 = pose([x, 0], u) { mass: 1, inertia: 1 }
}

fn main() {}
