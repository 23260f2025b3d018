use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| { let d = x > 0; d + y }
}

fn main() {}
