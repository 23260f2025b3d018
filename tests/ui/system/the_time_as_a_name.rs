use constraint_runtime::prelude::*;

system! {
    struct A { t: Real = 1 }
    particle p: Point2 { mass: 1 }
}

system! {
    struct B;
    particle p: Point2 { mass: 1 }
    input t;
}

fn main() {}
