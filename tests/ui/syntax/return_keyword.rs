use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| return x + y
}

fn main() {}
