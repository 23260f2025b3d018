use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p[i in 0..2][i in 0..2]: Point2 { mass: i + 1 }
}

fn main() {}
