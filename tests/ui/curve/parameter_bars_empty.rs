use constraint_runtime::prelude::*;

curve! {
    struct Track;
    || [s, s^2]
}

fn main() {}
