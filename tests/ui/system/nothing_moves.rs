use constraint_runtime::prelude::*;

system! {
    struct S;

    let g = 10;
}

fn main() {}
