use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Piont2| a.x
}

fn main() {}
