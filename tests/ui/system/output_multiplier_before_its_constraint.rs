use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    output pull = multiplier(rod);
    constraint rod: norm(p) == 1;
}

fn main() {}
