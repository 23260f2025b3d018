use constraint_runtime::prelude::*;

system! {
    struct S;

    bob: Point2 { mass: 1 }
}

fn main() {}
