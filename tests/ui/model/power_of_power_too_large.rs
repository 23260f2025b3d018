use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| (x^1000)^1001 + y
}

fn main() {}
