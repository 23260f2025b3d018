use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| (-8)^(1/3)*x + y
}

fn main() {}
