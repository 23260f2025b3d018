use constraint_runtime::prelude::*;

constraint! {
    fn bad(x: f64) -> f64 { x }
}

fn main() {}
