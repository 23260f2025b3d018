use constraint_runtime::prelude::*;

system! {
    struct S { m: [Real; 0] = 1 }
    particle p: Point2 { mass: 1 }
}

fn main() {}
