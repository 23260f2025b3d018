use constraint_runtime::prelude::*;

system! {
    struct S;

    body b: Rigid2 { mass: 1, inertia: 1 }
    output it = acceleration(b);
}

fn main() {}
