use constraint_runtime::prelude::*;

curve! {
    struct Track;
    |s in 0..=1| [s, s, s, s]
}

fn main() {}
