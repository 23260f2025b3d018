use constraint_runtime::prelude::*;

system! {
    #[regressor(arm)]
    struct Arm { m: Real = 1 }
    coordinate q;
    body arm: Rigid2 = pose([0, 0], q) { mass: m, inertia: 0.1 }
}

fn main() {}
