use constraint_runtime::prelude::*;

constraint! {
    struct Wire { a: Rigid3 }
    |x, y| x + y
}

fn main() {}
