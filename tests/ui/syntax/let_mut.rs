use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| { let mut d = x; d + y }
}

fn main() {}
