use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }
    particle p[3]: Point2 { mass: m }
    potential sum(i in 0..3);
    potential sum(i in 0..3:);
    potential sum(i in 0..3: p[i].y, 2);
}

fn main() {}
