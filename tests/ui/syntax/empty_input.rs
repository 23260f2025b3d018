use constraint_runtime::prelude::*;

constraint! {
}

fn main() {}
