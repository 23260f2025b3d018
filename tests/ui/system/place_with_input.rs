use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate x;
    input u;
    particle p = [x, u] { mass: 1 }
}

fn main() {}
