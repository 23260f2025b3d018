use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }

    coordinate x;
    particle p = [x, 0] { mass: m }
    force x: sin(time);
}

fn main() {}
