use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    || 1
}

fn main() {}
