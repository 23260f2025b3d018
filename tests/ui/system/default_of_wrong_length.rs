use constraint_runtime::prelude::*;

system! {
    struct S { m: [Real; 4] = [1, 2, 3], g: [[Real; 2]; 2] = [[1, 2], [3, 4], [5, 6]], w: [[Real; 3]; 2] = [[1, 2], [3, 4]] }
    particle p: Point2 { mass: m[0] + g[0][0] + w[0][0] }
}

fn main() {}
