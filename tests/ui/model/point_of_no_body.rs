use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |p: Point3| at(p, [1, 0, 0]) - [1, 2, 3]
}

fn main() {}
