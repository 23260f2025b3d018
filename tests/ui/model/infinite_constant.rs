use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| 10^1000*x + y
}

fn main() {}
