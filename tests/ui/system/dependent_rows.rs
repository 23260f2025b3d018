use constraint_runtime::prelude::*;

system! {
    struct S { l: Real = 1 }

    particle a: Point2 { mass: 1 }
    particle b: Point2 { mass: 1 }
    constraint rod: norm(b - a) == l;
    constraint again: norm_squared(b - a) == l^2;
}

fn main() {}
