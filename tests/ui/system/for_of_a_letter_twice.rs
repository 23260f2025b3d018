use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p[4]: Point2 { mass: 1 }
    for i in 0..2 { for i in 0..2 { force p[i]: [0, -1]; } }
}

fn main() {}
