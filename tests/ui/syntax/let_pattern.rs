use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| { let (d, e) = x; d + y }
}

fn main() {}
