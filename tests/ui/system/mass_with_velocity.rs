use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate x;
    particle p = [x, 0] { mass: 1 + velocity(x) }
}

fn main() {}
