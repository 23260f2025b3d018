use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| norm(x) + y
}

fn main() {}
