use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }

    let corners = [[0, 0], [1, 0], [1, 1]];
    particle p: Point2 { mass: m }
    potential norm_squared(p - corners[0]);
}

fn main() {}
