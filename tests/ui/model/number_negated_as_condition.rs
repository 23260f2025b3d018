use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| if !x { x } else { y }
}

fn main() {}
