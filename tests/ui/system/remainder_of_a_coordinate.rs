use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }
    particle p[3]: Point2 { mass: m }
    constraint c: p[0].x % 2 == 1/2;
}

fn main() {}
