use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Rigid3, b: Rigid3| at(c, [1, 0, 0]) - at(a, [1, 2, 3])
}

fn main() {}
