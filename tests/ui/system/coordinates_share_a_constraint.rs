use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    coordinate s, u;
    constraint c: p.x == s + u;
}

fn main() {}
