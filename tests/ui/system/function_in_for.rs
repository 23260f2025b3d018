use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    for i in 0..3 { fn f(s) = s; }
}

fn main() {}
