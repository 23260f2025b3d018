use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }

    particle p: Point2 { mass: 1 }
    constraint c: m == 1;
}

fn main() {}
