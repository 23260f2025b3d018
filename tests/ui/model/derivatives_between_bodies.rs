use constraint_runtime::prelude::*;

constraint! {
    #[derivatives]
    struct Rod { r: Vector3, l: Real }
    |a: Rigid3, b: Rigid3| norm(at(b, r) - at(a, r)) == l
}

fn main() {}
