use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| for i in 0..3 { x + y }
}

fn main() {}
