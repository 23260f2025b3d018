use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| self.x + y
}

fn main() {}
