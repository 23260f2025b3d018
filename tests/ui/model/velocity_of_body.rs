use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Rigid3| velocity(a) - [1, 0, 0]
}

fn main() {}
