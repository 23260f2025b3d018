use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| ln(-1)*x + y
}

fn main() {}
