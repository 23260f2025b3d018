use constraint_runtime::prelude::*;

curve! {
    struct Track;
    |fn in 0..=1| [1, 2]
}

fn main() {}
