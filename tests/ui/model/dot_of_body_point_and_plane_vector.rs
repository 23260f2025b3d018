use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Rigid3, b: Rigid3| dot(at(a, [1, 0, 0]), [1, 0])
}

fn main() {}
