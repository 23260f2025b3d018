use constraint_runtime::prelude::*;

system! {
    struct A { m: Real = 1 }
    particle p: Point2 { mass: m }
    constraint c: p.x != 1;
}

fn main() {}
