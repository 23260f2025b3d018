use constraint_runtime::prelude::*;

system! {
    struct S;

    part Leg { l: Real }
    leg: Leg { l: 1 }
}

fn main() {}
