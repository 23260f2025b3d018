use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| x.sqroot() + y
}

fn main() {}
