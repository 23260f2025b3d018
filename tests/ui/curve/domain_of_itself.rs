use constraint_runtime::prelude::*;

curve! {
    struct Track;
    |s in 0..=2*s| [s, s^2]
}

fn main() {}
