use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| let d = x; d + y
}

fn main() {}
