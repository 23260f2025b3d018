use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate bead[3];
}

fn main() {}
