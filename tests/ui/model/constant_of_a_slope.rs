use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| x^1000*1e308 + y
}

fn main() {}
