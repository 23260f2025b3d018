use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Point2| a.x() == 1
}

fn main() {}
