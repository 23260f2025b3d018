use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }
    particle p[3]: Point2 { mass: m }
    constraint c: norm(p[% 2]) == 1;
    constraint d: norm(p[2 %]) == 1;
}

fn main() {}
