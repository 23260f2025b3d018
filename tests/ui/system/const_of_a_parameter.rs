use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }
    const N = 2*m;
    particle p[N]: Point2 { mass: m }
}

fn main() {}
