use constraint_runtime::prelude::*;

constraint! {
    struct Wire { a: Time }
    |x, y| x + y - a
}

fn main() {}
