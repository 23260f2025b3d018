use constraint_runtime::prelude::*;

constraint! {
    struct Wire { a }
    |x, y| x + y - a
}

fn main() {}
