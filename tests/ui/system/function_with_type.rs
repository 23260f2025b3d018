use constraint_runtime::prelude::*;

system! {
    struct S;

    coordinate x;
    fn place(s: f64) = [s, 0];
    particle p = place(x) { mass: 1 }
}

fn main() {}
