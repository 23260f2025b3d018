use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |self, y| self + y
}

fn main() {}
