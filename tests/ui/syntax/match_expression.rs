use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |x, y| match x { 0 => x, _ => y }
}

fn main() {}
