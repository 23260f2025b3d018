use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    let g = 1 +;
    force p: [0, -g];
    force q: [0, -1];
}

fn main() {}
