use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Point2| [1/a]
}

fn main() {}
