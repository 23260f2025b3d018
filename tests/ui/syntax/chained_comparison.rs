use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| if 0 < x < 1 { x } else { y }
}

fn main() {}
