use constraint_runtime::prelude::*;

system! {
    struct S;

    /// A point.
    #[inline]
    particle p: Point2 { mass: 1 }
    #
    gravity [0, -1];
}

fn main() {
    let _ = SCoordinates::<f64>::default().p;
}
