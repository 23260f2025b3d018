use constraint_runtime::prelude::*;

system! {
    struct S { m: [3; 4] = 1 }
    particle p: Point2 { mass: m[0] }
}

fn main() {}
