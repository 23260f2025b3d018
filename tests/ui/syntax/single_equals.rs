use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| x^2 + y = 1
}

fn main() {}
