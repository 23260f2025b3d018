use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, x| x
}

fn main() {}
