use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate x;
    particle p = [x, 0] { mass: 1 }
    force x[0]: 1;
}

fn main() {}
