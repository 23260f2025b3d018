use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate 3;
}

fn main() {}
