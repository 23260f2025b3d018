use constraint_runtime::prelude::*;

curve! {
    struct Track;
    |s in 0..=2| if s < 1 { [s, 0] } else { [s, s^2] }
}

fn main() {}
