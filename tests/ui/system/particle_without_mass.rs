use constraint_runtime::prelude::*;

system! {
    struct S;

    particle bead[3]: Point2;
    constraint rod: norm(bead[0]) == 1;
}

fn main() {
    let _ = SCoordinates { bead: [Point2::new(1.0, 0.0); 3] };
    let _ = S::CONSTRAINTS;
}
