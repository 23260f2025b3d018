use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| x == 0,5*y
}

fn main() {}
