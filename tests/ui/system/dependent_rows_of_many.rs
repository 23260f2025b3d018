use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p[4]: Point2 { mass: 1 }
    for i in 0..4 { constraint level[i]: p[i].y == 0; }
    constraint sum: p[0].y + p[1].y + p[2].y + p[3].y == 0;
}

fn main() {}
