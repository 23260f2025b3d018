use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    constraint both: [p.x == 1, 2*p.x == 2];
}

fn main() {}
