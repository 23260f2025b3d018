use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Point2| a.norm == 1
}

fn main() {}
