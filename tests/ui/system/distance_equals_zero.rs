use constraint_runtime::prelude::*;

system! {
    struct Pinned { l: Real = 1 }
    particle p: Point2 { mass: 1 }
    body b: Rigid2 { mass: 1, inertia: 1 }
    constraint pin: norm_squared(at(b, [l, 0]) - p) == 0;
}

fn main() {}
