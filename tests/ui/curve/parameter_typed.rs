use constraint_runtime::prelude::*;

curve! {
    struct Track;
    |s: Real in 0..=1| [s, s^2]
}

fn main() {}
