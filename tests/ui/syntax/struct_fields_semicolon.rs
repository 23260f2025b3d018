use constraint_runtime::prelude::*;

constraint! {
    struct Wire { a: Real };
    |x, y| x + y - a
}

fn main() {}
