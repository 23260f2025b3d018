#![allow(mixed_script_confusables)]

use constraint_runtime::prelude::*;

constraint! {
    struct Wave;
    |x, y| y == sin(π*x)
}

fn main() {
    let _ = constraint!(y == cos(π*x));
}
