use constraint_runtime::prelude::*;

system! {
    struct S;
    let corner = [[0, 0], [1, 0, 2], [1, 1]];
    particle p: Point2 { mass: 1 }
    potential norm_squared(p - corner[0]);
}

fn main() {}
