use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| if let Some(z) = x { x } else { y }
}

fn main() {}
