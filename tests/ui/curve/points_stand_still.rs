use constraint_runtime::prelude::*;

curve! {
    struct Track { a: Real }
    |s in 0..=1| [a, 2]
}

fn main() {}
