use constraint_runtime::prelude::*;

constraint! {
    struct Wire { a: Real, a: Vector2 }
    |x, y| x + y - a
}

fn main() {}
