use constraint_runtime::prelude::*;

curve! {
    struct Track;
    |s in 0..=1,5| [s, s^2]
}

fn main() {}
