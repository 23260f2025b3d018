use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate x, y;
    particle p[0] = [x, 0] { mass: 1 }
    particle p[2] = [y, 0] { mass: 1 }
}

fn main() {}
