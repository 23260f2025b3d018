use constraint_runtime::prelude::*;

system! {
    struct S;

    body wheel[3]: Rigid2 { mass: 1, inertia: 1 }
    torque wheel: 1;
}

fn main() {}
