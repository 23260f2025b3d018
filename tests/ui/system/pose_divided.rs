use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate q;
    let base = pose([1, 0], q);
    body a: Rigid2 = base / base { mass: 1, inertia: 1 }
}

fn main() {}
