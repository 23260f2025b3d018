use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    for i in 0..1000 { for j in 0..1000 { force p: [0, i*j]; } }
}

fn main() {}
