use constraint_runtime::prelude::*;

constraint! {
    struct Wire { a: Real }
    |x, y| [x, a - 1]
}

fn main() {}
