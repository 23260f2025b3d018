use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p[4]: Point2 { mass: 1 }
    constraint level: [p[0].y, p[1].y, p[2].y, p[3].y];
    output pull = multiplier(level);
}

fn main() {}
