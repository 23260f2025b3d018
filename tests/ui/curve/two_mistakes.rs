use constraint_runtime::prelude::*;

curve! {
    struct Track { a: Rael }
    |s in 0..=1| [s, si(s)]
}

fn main() {}
