use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }
    const N = 0;
    particle p[3]: Point2 { mass: m }
    for i in 0..3 { constraint c[i]: norm(p[(i + 1) % N]) == 1; }
}

fn main() {}
