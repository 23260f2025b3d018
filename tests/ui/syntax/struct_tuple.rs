use constraint_runtime::prelude::*;

constraint! {
    struct Wire(f64);
    |x, y| x + y
}

fn main() {}
