use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    fn wire(s) = s^2;
    constraint c: p.y == wire;
}

fn main() {}
