use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    force p: velocity(velocity(p));
}

fn main() {}
