use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| if true { x } else { y }
}

fn main() {}
