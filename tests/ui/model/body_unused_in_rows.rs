use constraint_runtime::prelude::*;

constraint! {
    struct Wire { r: Vector3 }
    |a: Rigid3, b: Rigid3| norm(r) - 1
}

fn main() {}
