use constraint_runtime::prelude::*;

constraint! {
    struct Wire { a: Real b: Real }
    |x, y| x + y - a
}

fn main() {}
