use constraint_runtime::prelude::*;

constraint! {
    struct Wire { x: Real }
    |x, y| x + y
}

fn main() {}
