use constraint_runtime::prelude::*;

system! {
    struct S { m: [[[[Real; 2]; 2]; 2]; 2] = 1 }
    particle p: Point2 { mass: m[0][0][0][0] }
    particle q[2][2][2][2]: Point2 { mass: 1 }
}

fn main() {}
