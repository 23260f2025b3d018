use constraint_runtime::prelude::*;

system! {
    struct S;
    let corner = [];
    particle p: Point2 { mass: 1 }
    potential norm_squared(p - corner[0]);
}

fn main() {}
