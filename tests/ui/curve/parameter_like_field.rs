use constraint_runtime::prelude::*;

curve! {
    struct Track { s: Real }
    |s in 0..=1| [s, s^2]
}

fn main() {}
