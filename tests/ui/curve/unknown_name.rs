use constraint_runtime::prelude::*;

curve! {
    struct Track { radius: Real }
    |s in 0..=1| [s, raduis*s]
}

fn main() {}
