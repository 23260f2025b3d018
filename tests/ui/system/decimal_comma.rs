use constraint_runtime::prelude::*;

system! {
    struct A { m: Real = 1 }
    particle p: Point2 { mass: m }
    constraint c: p.x == 0,5*p.y;
}

system! {
    struct B { m: Real = 1 }
    particle p: Point2 { mass: m }
    constraint c: [p.x == 0,5, p.y == 1];
}

system! {
    struct C { m: Real = 1 }
    particle p: Point2 { mass: m }
    force p: [sin(0,5*t), (0,5)];
}

system! {
    struct K { m: Real = 0,5, k: Real = 2 }
    particle p: Point2 { mass: 1,25 }
    potential k*m*p.y;
}

// Two rows without brackets, and two with them.
system! {
    struct L { m: Real = 1 }
    particle p: Point2 { mass: m }
    constraint c: p.x == 0, 2*p.y == 1;
}

system! {
    struct M { m: Real = 1 }
    particle p: Point2 { mass: m }
    constraint c: [p.x == 0, 2*p.y == 1];
}

fn main() {}
