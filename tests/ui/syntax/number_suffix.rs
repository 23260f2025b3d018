use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| 1.5f64*x + y
}

fn main() {}
