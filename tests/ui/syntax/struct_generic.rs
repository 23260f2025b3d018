use constraint_runtime::prelude::*;

constraint! {
    struct Wire<T> { a: Real }
    |x, y| x + y - a
}

fn main() {}
