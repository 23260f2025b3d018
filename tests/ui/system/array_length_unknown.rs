use constraint_runtime::prelude::*;

system! {
    struct S { m: [Real; N] = 1 }
    particle p: Point2 { mass: m[0] }
}

fn main() {}
