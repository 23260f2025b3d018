use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Vector2 { mass: 1 }
}

fn main() {}
