use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Rigid2, b: Rigid2| dot(dir(a, [1, 0, 0]), dir(b, [1, 0]))
}

fn main() {}
