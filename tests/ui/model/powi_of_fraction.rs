use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| powi(x, 0.5) + y
}

fn main() {}
