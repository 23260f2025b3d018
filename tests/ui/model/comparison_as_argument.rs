use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| sin(x > 0) + y
}

fn main() {}
