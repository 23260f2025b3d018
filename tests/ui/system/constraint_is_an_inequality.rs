use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    constraint c: p.y > 0;
    constraint d: [p.x >= 0, p.y];
}

fn main() {}
