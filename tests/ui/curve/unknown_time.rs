use constraint_runtime::prelude::*;

curve! {
    struct Track;
    |s in 0..=1| [s, t*s]
}

fn main() {}
