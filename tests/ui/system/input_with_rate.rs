use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate x;
    input u with rate;
    particle p = [x, 0] { mass: 1 }
    potential u*x;
}

fn main() {}
