use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| x + y;
}

fn main() {}
