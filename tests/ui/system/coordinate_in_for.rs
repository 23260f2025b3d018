use constraint_runtime::prelude::*;

system! {
    struct S;

    for i in 0..3 { coordinate x; }
    particle p = [1, 0] { mass: 1 }
}

fn main() {}
