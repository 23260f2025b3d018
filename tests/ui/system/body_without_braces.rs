use constraint_runtime::prelude::*;

system! {
    struct S;

    body wheel: Rigid2;
}

fn main() {}
