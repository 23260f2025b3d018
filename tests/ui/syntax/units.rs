use constraint_runtime::prelude::*;

system! {
    struct Lever { m: Real = 1 }
    coordinate a;
    let start = 45 deg;
    body lever: Rigid2 = pose([0, 0], a + start) { mass: 1 kg, inertia: 2cm^2 }
}

fn main() {}
