use constraint_runtime::prelude::*;

system! {
    struct S { mu: Real = 1 }

    particle p: Point2 { mass: 1 }
    constraint floor: p.y >= 0 { slip: velocity(p).x };
}

fn main() {}
