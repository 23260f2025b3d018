use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Rigid3| a.x - 1
}

fn main() {}
