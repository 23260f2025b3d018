use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| while x > 0 { x + y }
}

fn main() {}
