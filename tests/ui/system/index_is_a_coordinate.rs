use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate x;
    particle bead[3]: Point2 { mass: 1 }
    particle p = [x, 0] { mass: 1 }
    constraint rod: norm(bead[x]) == 1;
}

fn main() {}
