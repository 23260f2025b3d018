use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| z + x + z*y
}

fn main() {}
