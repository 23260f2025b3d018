use constraint_runtime::prelude::*;

constraint! {
    struct Wire { TAU: Real }
    |x, y| x + y - TAU
}

fn main() {}
