use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    constraint speed: norm(velocity(p)) == 1;
}

fn main() {}
