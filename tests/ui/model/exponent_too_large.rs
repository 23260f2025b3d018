use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| x^99999999999 + y
}

fn main() {}
