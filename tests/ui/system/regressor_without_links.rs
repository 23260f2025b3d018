use constraint_runtime::prelude::*;

system! {
    #[regressor]
    struct Tumbler { m: Real = 1, i: Real = 0.1 }
    body box_: Rigid3 { mass: m, inertia: [i, i, i] }
    body post: Rigid3 = pose([0, 0, 1]) { mass: m, inertia: [i, i, i] }
}

fn main() {}
