use constraint_runtime::prelude::*;

constraint! {
    struct Wire { r: Vector2 }
    |a: Rigid3, b: Rigid3| at(a, r) - at(b, [0, 0, 0])
}

fn main() {}
