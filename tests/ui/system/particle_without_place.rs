use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate x;
    particle p { mass: 1 }
}

fn main() {}
