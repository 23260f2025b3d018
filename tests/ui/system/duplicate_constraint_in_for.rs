use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p[3]: Point2 { mass: 1 }
    for i in 0..3 { constraint c[0]: p[i].x == 0; }
}

fn main() {}
