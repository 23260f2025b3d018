use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }
    particle knot[2][3]: Point2 { mass: m }
    for i in 0..3 { force knot[i][0]: [0, 1]; }
    constraint c: norm(knot[0][3]) == 1;
}

fn main() {}
