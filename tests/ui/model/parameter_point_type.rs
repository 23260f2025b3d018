use constraint_runtime::prelude::*;

constraint! {
    struct Wire { a: Point2 }
    |x, y| x + y - a.x
}

fn main() {}
