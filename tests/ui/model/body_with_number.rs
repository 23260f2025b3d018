use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Rigid2, b: Rigid2| at(a, 1) - at(b, [0, 0])
}

fn main() {}
