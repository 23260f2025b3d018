use constraint_runtime::prelude::*;

constraint! {
    struct Wire { a: Real }
    |x, y| y == clamp(a*x)
}

fn main() {}
