use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| 0 <= x <= y
}

fn main() {}
