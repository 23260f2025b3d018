use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    let g: Real = 3;
    force p: [0, -g];
}

fn main() {}
