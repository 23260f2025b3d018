use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, a: Point2| x + a
}

fn main() {}
