use constraint_runtime::prelude::*;

system! {
    #[redundant]
    struct S;

    particle p: Point2 { mass: 1 }
}

fn main() {}
