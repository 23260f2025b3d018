use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x: f64, y| x + y
}

fn main() {}
