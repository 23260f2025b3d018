use constraint_runtime::prelude::*;

system! {
    #[solver(rolled)]
    #[regressor]
    struct Swings { m: Real = 1, g: Real = 9.81 }
    coordinate angle[40];
    body bob[i in 0..40]: Rigid2 = pose([i, 0], angle[i]) * pose([0, -1]) { mass: m, inertia: 0.1 }
    gravity [0, -g];
}

fn main() {}
