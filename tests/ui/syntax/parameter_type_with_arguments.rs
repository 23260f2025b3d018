use constraint_runtime::prelude::*;

constraint! {
    struct Wire { a: Vector2<f64> }
    |x, y| x + y - a.x
}

fn main() {}
