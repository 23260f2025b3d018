use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Rigid3| norm_squared(velocity(at(a, [1, 0, 0]))) - 1
}

fn main() {}
