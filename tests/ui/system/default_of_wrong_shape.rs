use constraint_runtime::prelude::*;

system! {
    struct S { g: Vector2 = 1 }

    particle p: Point2 { mass: 1 }
    force p: g;
}

fn main() {
    let _: S = S::default();
}
