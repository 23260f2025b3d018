use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| sin(pi*x) + y
}

fn main() {}
