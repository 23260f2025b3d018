use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate x;
    fn place = [x, 0];
    particle p = place { mass: 1 }
}

fn main() {}
