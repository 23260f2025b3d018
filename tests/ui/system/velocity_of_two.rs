use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    dissipation norm_squared(velocity(p, p));
}

fn main() {}
