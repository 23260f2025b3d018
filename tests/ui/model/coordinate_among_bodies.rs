use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Rigid3, x| norm(at(a, [1, 0, 0])) - x
}

fn main() {}
