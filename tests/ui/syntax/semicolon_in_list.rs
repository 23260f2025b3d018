use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| dot([x; y], [x, y]) - 1
}

fn main() {}
