use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Rigid3| dot(velocity(velocity(at(a, [1, 0, 0]))), [1, 0, 0])
}

fn main() {}
