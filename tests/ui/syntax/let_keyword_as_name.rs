use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| { let fn = x; fn + y }
}

fn main() {}
