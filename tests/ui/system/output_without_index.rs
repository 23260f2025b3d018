use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    constraint rod: norm(p) == 1;
    for i in 0..2 { output it = i*p; }
}

fn main() {}
