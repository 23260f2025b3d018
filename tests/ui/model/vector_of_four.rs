use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| (2*[x, y, x, y]).x == 1
}

fn main() {}
