use constraint_runtime::prelude::*;

system! {
    struct S;

    particle a[2]: Point2 { mass: 1 }
    particle b = a { mass: 1 }
}

fn main() {}
