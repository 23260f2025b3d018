use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }

    particle p: Point2 { mass: m }
    potential norm(p - [[0, 0], [1, 0]]);
}

fn main() {}
