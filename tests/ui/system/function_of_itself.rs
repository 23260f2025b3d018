use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    fn wire(s) = wire(s) + 1;
    constraint c: p.y == wire(p.x);
}

fn main() {}
