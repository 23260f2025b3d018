use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }
    const N: usize = 3;
    const M;
    particle p[N]: Point2 { mass: m }
}

fn main() {}
