use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    input u;
    constraint c: p.x == u;
}

fn main() {}
