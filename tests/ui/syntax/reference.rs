use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| norm_squared(&[x, y]) == 1
}

fn main() {}
