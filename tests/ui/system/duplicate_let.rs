use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    let a = 1;
    let a = 2;
    force p: [0, a];
}

fn main() {}
