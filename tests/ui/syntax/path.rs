use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| std::f64::consts::PI*x + f64::sin(y)
}

fn main() {}
