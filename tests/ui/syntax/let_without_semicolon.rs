use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| { let d = x let e = y; d + e }
}

fn main() {}
