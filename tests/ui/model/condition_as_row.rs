use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| x == 1 && y == 1
}

fn main() {}
