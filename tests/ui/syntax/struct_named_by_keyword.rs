use constraint_runtime::prelude::*;

constraint! {
    struct type;
    |x, y| x + y
}

fn main() {}
