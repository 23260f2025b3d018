use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x in 0..=1, y| x + y
}

fn main() {}
