use constraint_runtime::prelude::*;

system! {
    struct S { m: [Real; 4] = 1 }
    particle p[4]: Point2 { mass: m }
}

fn main() {}
