use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| [x, 3, y]
}

fn main() {}
