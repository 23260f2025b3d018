use constraint_runtime::prelude::*;

constraint! {
    #![allow(dead_code)]
    struct Wire;
    |x, y| x + y
}

fn main() {}
