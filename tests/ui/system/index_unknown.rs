use constraint_runtime::prelude::*;

system! {
    struct S { m: [Real; 3] = 1 }
    for i in 0..3 { particle p[i]: Point2 { mass: m[j] } }
}

fn main() {}
