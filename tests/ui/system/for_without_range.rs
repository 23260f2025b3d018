use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p[3]: Point2 { mass: 1 }
    for i in 3 { force p[i]: [0, -1]; }
}

fn main() {}
