use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Rigid3, b: Rigid2| norm(at(a, [1, 0, 0])) - 1
}

fn main() {}
