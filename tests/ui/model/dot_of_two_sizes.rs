use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Point2, b: Point3| dot(a, b)
}

fn main() {}
