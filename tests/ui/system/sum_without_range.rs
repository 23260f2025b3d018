use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }
    particle p[3]: Point2 { mass: m }
    potential sum(i in 3: p[i].y);
    potential sum(p);
}

fn main() {}
