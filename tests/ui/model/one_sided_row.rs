use constraint_runtime::prelude::*;

constraint! {
    struct Floor;
    |x, y| max(0, -y) == 0
}

fn main() {}
