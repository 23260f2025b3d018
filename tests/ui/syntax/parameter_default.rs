use constraint_runtime::prelude::*;

constraint! {
    struct Wire { a: Real = 1 }
    |x, y| x + y - a
}

fn main() {}
