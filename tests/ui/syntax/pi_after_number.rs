use constraint_runtime::prelude::*;

constraint! {
    struct Wave;
    |x, y| y == sin(2π*x)
}

fn main() {}
