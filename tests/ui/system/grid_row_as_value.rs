use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }
    particle knot[2][3]: Point2 { mass: m }
    force knot[1]: [0, 1];
    constraint c: norm(knot[0]) == 1;
}

fn main() {}
