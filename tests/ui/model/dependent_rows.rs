use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| [x + y == 1, 2*x + 2*y == 3]
}

fn main() {}
