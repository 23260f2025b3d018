use constraint_runtime::prelude::*;

curve! {
    struct Track;
    |s in -1..=1| [s^2, s^3]
}

fn main() {}
