use constraint_runtime::prelude::*;

constraint! {
    struct Wire;
    |a: Point3| perp(a)
}

fn main() {}
