use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: { mass: 1 }
}

fn main() {}
