use constraint_runtime::prelude::*;

constraint! {
    struct;
    |x, y| x + y
}

fn main() {}
