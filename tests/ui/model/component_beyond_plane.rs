use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Point2| a.z
}

fn main() {}
