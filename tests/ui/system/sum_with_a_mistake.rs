use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }
    particle p[3]: Point2 { mass: m }
    potential sum(i in 0..3: m*p[i]);
    potential sum(i in 0..4: p[i].x);
    potential sum(m in 0..3: p[m].x);
}

fn main() {}
