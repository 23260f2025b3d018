use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| (1e-200*x)^2 + y
}

fn main() {}
