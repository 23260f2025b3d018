use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    constraint rod: norm(p) == 1;
    output pull = multiplier(rood);
}

fn main() {}
