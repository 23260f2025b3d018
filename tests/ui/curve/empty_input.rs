use constraint_runtime::prelude::*;

curve! {
}

fn main() {}
