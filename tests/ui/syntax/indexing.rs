use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |p: Point2| p[0] - p[1]
}

fn main() {}
