use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| [log(x), sqr(y)]
}

fn main() {}
