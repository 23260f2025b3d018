use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }

    coordinate m;
    particle p = [m, 0] { mass: 1 }
}

fn main() {}
