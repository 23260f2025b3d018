use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| [(|s| s + 1)(x), y]
}

fn main() {}
