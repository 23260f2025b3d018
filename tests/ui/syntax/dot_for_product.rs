use constraint_runtime::prelude::*;

constraint! {
    struct Product;
    |x, y| x·y == 1
}

fn main() {}
