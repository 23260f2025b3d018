use constraint_runtime::prelude::*;

system! {
    particle p: Point2 { mass: 1 }
}

fn main() {}
