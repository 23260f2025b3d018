use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Point2| sin(a)
}

fn main() {}
