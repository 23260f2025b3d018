use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y|
}

fn main() {}
