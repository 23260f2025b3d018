use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Rigid3, b: Rigid3| norm(a) - 1
}

fn main() {}
