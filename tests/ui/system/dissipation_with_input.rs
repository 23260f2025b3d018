use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    input u;
    dissipation u*norm_squared(velocity(p));
}

fn main() {}
