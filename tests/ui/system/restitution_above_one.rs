use constraint_runtime::prelude::*;

system! {
    struct A { m: Real = 1 }
    particle p: Point2 { mass: m }
    constraint c: p.y >= 0 { restitution: 2 };
}

system! {
    struct B { m: Real = 1 }
    particle p: Point2 { mass: m }
    constraint c: p.y >= 0 { restitution: 1.25 };
}

fn main() {}
