use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Rigid3, a: Rigid3| norm(at(a, [1, 0, 0])) - 1
}

fn main() {}
