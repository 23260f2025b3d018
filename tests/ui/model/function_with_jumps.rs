use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| floor(x) + y
}

fn main() {}
