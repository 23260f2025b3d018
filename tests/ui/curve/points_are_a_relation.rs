use constraint_runtime::prelude::*;

curve! {
    struct Track;
    |s in 0..=1| s^2 == 1
}

fn main() {}
