use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| { let E = x; E + y }
}

fn main() {}
