use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }
    particle p[3]: Point2 { mass: m }
    input u: [Vector2; 3];
    force p[0]: u[0];
}

fn main() {}
