use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate x: Real;
    particle p = [x, 0] { mass: 1 }
}

fn main() {}
