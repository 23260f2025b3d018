use constraint_runtime::prelude::*;

curve! {
    struct Track;
    |t in -3..=3| [t, t > 0 ? t : -t]
}

fn main() {}
