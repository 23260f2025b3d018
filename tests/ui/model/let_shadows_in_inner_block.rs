use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| { let d = x; d + { let d = y; d } }
}

fn main() {}
