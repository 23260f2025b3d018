use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| [x.atan2(), min(y)]
}

fn main() {}
