use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| sin(x, y)
}

fn main() {}
