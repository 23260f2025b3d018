use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1, g: 9 }

    particle p: Point2 { mass: m }
    force p: [0, -m*g];
}

fn main() {}
