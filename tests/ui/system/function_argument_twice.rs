use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate x;
    fn place(s, s) = [s, 0];
    particle p = place(x, x) { mass: 1 }
}

fn main() {}
