use constraint_runtime::prelude::*;

curve! {
    pub struct Steep;
    |s in 0..=1| [s, 1e308*s^1000]
}

fn main() {}
