use constraint_runtime::prelude::*;

system! {
    struct S;
    for i in 0..3 { for j in 0..2 { particle p[i][2*j]: Point2 { mass: 1 } } }
}

fn main() {}
