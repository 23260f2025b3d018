use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Point2| dot(a, 1)
}

fn main() {}
