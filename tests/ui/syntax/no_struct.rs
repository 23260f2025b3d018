use constraint_runtime::prelude::*;

constraint! {
    |x, y| x + y
}

fn main() {}
