use constraint_runtime::prelude::*;

curve! {
    struct Track { end: Real }
    |s in 0..=ende| [s, end*s^2]
}

fn main() {}
