use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    force p: [0, -g];
    constraint rod: nrom(p) == 1;
}

fn main() {
    let _ = SCoordinates { p: Point2::new(1.0, 0.0) };
}
