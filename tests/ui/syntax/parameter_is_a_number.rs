use constraint_runtime::prelude::*;

constraint! {
    struct Circle { r: 2.5 }
    |x, y| x^2 + y^2 == r^2
}

fn main() {}
