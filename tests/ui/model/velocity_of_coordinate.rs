use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| x*velocity(y) - 1
}

fn main() {}
