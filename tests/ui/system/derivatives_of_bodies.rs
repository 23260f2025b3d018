use constraint_runtime::prelude::*;

system! {
    #[derivatives]
    struct Top { m: Real = 1 }
    body top: Rigid3 { mass: m, inertia: [1, 1, 2] }
}

fn main() {}
