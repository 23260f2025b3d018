use constraint_runtime::prelude::*;

curve! {
    struct Track;
    |PI in 0..=1| [1, 2]
}

fn main() {}
