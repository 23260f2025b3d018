use constraint_runtime::prelude::*;

constraint! {
    struct Wire { length: Real }
    |x, y| x + lenght*y
}

fn main() {}
