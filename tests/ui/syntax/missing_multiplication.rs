use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| 2x + 3 y + 4(x + y)
}

fn main() {}
