use constraint_runtime::prelude::*;

curve! {
    struct Track;
    |s in 0..=1| s > 0 && s < 1
}

fn main() {}
