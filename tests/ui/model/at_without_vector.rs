use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Rigid3| norm(at(a)) - 1
}

fn main() {}
