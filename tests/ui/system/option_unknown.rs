use constraint_runtime::prelude::*;

system! {
    #[solver(fast)]
    struct S;

    particle p: Point2 { mass: 1 }
}

fn main() {}
