use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| if x > 0 { x == y } else { y }
}

fn main() {}
