use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Vector2| a.x
}

fn main() {}
