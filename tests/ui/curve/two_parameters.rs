use constraint_runtime::prelude::*;

curve! {
    struct Track;
    |s, t in 0..=1| [s, t]
}

fn main() {}
