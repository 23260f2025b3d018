use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| (-1)^x + y
}

fn main() {}
