use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| Point2 { x: x, y: y }
}

fn main() {}
