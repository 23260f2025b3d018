use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }
    for i in 0..3 { const N = i; }
    particle p[3]: Point2 { mass: m }
}

fn main() {}
