use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Rigid, b: Rigid3| norm(at(b, [1, 0, 0])) - 1
}

fn main() {}
