//! Momenta are those of the whole system.

use constraint_runtime::prelude::*;

system! {
    struct Two { m: Real = 1 }
    part Ball { m: Real } {
        particle bob: Point2 { mass: m }
        output momentum;
    }
    ball[2]: Ball { m: m }
}

fn main() {}
