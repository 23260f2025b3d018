use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate x;
    particle p = [x, 0] { mass: 1 }
    input u: Point2, w: f64;
    force p: u;
    force x: w;
}

fn main() {}
