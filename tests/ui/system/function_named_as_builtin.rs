use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    fn norm(s) = s^2;
    constraint c: p.y == norm(p.x);
}

fn main() {}
