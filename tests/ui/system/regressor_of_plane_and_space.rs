use constraint_runtime::prelude::*;

system! {
    #[regressor]
    struct Arms { m: Real = 1, i: Real = 0.1 }
    coordinate a, b;
    body flat: Rigid2 = pose([0, 0], a) { mass: m, inertia: i }
    body round: Rigid3 = pose([0, 0, 0], [1, 0, 0], b) { mass: m, inertia: [i, i, i] }
}

fn main() {}
