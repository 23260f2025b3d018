use constraint_runtime::prelude::*;

system! {
    struct A { m: Real = 1 }
    force p: [0, -m];
    particle p: Point2 { mass: m }
}

system! {
    struct B { m: Real = 1 }
    let a = 2*b;
    let b = m;
    particle p: Point2 { mass: a }
}

system! {
    struct C { m: Real = 1 }
    particle p = [x, 0] { mass: m }
    coordinate x;
}

fn main() {}
