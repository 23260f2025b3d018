use constraint_runtime::prelude::*;

system! {
    struct A { m: Real = 1 }
    particle p: Point2 { mass: m }
    constraint c: p.x >= 0 && p.x <= 1;
}

system! {
    struct B { m: Real = 1 }
    particle p: Point2 { mass: m }
    constraint c: p.x == 0 && p.y == 1;
}

system! {
    struct C { m: Real = 1 }
    particle p: Point2 { mass: m }
    constraint c: p.x == 0 || p.y == 1;
}

system! {
    struct D { m: Real = 1 }
    particle p: Point2 { mass: m }
    constraint c: p.x >= 0 || p.y >= 0;
}

system! {
    struct E { m: Real = 1 }
    particle p: Point2 { mass: m }
    constraint c: !(p.x == 1);
}

system! {
    struct F { m: Real = 1 }
    particle p: Point2 { mass: m }
    constraint c: !(p.x < 1);
}

fn main() {}
