use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p[9]: Point2 { mass: 1 }
    for i in 0..9 { force p[i]: [0, -g]; }
}

fn main() {}
