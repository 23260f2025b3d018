use constraint_runtime::prelude::*;

system! {
    struct S { w: [Vector3; 2] = [1, 2], m: [Real; 4] = [[1, 2], [3, 4], [5, 6], [7, 8]] }
    particle p: Point3 { mass: m[0] }
    force p: w[0];
}

fn main() {}
