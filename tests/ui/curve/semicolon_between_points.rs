use constraint_runtime::prelude::*;

curve! {
    struct Track;
    |s in 0..=1| [s; s^2]
}

fn main() {}
