use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Point2| a^2
}

fn main() {}
