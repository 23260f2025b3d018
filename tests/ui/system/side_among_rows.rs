use constraint_runtime::prelude::*;

system! {
    struct A { m: Real = 1 }
    particle p: Point2 { mass: m }
    constraint c: [p.x >= 0, p.x <= 1];
}

system! {
    struct B { m: Real = 1 }
    particle p: Point2 { mass: m }
    constraint c: { let d = norm(p); d <= 1 };
}

fn main() {}
