use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |PI, y| PI + y
}

fn main() {}
