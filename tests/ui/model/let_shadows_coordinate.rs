use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| { let x = 1; x + y }
}

fn main() {}
