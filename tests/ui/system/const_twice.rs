use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }
    const N = 3;
    const N = 4;
    particle p[N]: Point2 { mass: m }
}

fn main() {}
