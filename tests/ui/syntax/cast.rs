use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| x as f64 + y
}

fn main() {}
