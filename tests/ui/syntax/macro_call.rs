use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| x + vec![y]
}

fn main() {}
