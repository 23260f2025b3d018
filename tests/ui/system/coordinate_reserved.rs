use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate E;
    particle p = [E, 0] { mass: 1 }
}

fn main() {}
