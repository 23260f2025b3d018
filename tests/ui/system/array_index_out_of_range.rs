use constraint_runtime::prelude::*;

system! {
    struct S { m: [Real; 4] = 1 }
    particle p: Point2 { mass: m[4] }
}

fn main() {}
