use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Point2, b: Point3| a == b
}

fn main() {}
