use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| { let d = x; let d = y; d }
}

fn main() {}
