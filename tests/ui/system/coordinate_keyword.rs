use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate type;
    particle p = [type, 0] { mass: 1 }
}

fn main() {}
