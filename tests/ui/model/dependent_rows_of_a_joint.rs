use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Rigid3, b: Rigid3| [at(a, [1, 0, 0]) == at(b, [0, 0, 0]), at(a, [1, 0, 0]).x == at(b, [0, 0, 0]).x]
}

fn main() {}
