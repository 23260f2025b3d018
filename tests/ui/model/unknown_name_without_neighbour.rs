use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| x + z*y
}

fn main() {}
