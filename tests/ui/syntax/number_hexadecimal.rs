use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| 0x10*x + y
}

fn main() {}
