use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| [x**2 + y, x = y, sin(x as f64) + y?]
}

fn main() {}
