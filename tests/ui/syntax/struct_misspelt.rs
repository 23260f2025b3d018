use constraint_runtime::prelude::*;

constraint! {
    struc Wire;
    |x, y| x + y
}

fn main() {}
