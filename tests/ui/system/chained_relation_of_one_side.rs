use constraint_runtime::prelude::*;

system! {
    struct A { m: Real = 1 }
    particle p: Point2 { mass: m }
    constraint c: 0 <= p.x <= 1;
}

system! {
    struct B { m: Real = 1 }
    particle p: Point2 { mass: m }
    constraint c: 0 == p.x == p.y;
}

system! {
    struct C { m: Real = 1 }
    particle p: Point2 { mass: m }
    force p: if 0 < p.x < 1 { [0, 1] } else { [0, 0] };
}

fn main() {}
