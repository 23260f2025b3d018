use constraint_runtime::prelude::*;

system! {
    #[redundant(least_squares)]
    struct S;

    particle p: Point2 { mass: 1 }
    constraint rod: norm(p) == 1;
    constraint floor: p.y >= 0;
}

fn main() {}
