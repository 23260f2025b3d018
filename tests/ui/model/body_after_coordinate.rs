use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, a: Rigid3| norm(at(a, [1, 0, 0])) - x
}

fn main() {}
