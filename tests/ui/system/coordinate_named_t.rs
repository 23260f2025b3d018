use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate t;
    particle p = [t, 0] { mass: 1 }
}

fn main() {}
