use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }
    const m = 3;
    particle p[m]: Point2 { mass: 1 }
}

fn main() {}
