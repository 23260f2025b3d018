use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    fn f(s) = g(s);
    fn g(s) = s^2;
    constraint c: p.y == f(p.x);
}

fn main() {}
