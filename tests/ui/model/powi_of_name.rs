use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| x.powi(y)
}

fn main() {}
