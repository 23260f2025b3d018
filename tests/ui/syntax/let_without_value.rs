use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| { let d; x + y }
}

fn main() {}
