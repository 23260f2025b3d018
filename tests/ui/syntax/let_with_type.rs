use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| { let d: f64 = x; d + y }
}

fn main() {}
