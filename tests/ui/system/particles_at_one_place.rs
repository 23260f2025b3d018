use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }
    coordinate x;
    particle a, b = [x, 0] { mass: m }
}

fn main() {}
