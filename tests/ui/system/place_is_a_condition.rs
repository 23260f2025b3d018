use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate x;
    particle b = x > 0 { mass: 1 }
}

fn main() {}
