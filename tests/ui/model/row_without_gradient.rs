use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| [signum(x), y]
}

fn main() {}
