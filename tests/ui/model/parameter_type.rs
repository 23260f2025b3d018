use constraint_runtime::prelude::*;

constraint! {
    struct Wire { a: f64 }
    |x, y| x + y - a
}

fn main() {}
