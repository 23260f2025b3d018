use constraint_runtime::prelude::*;

system! {
    struct S;
    let weight = [1, 2, 3, 4];
    particle p: Point2 { mass: 1 }
    potential weight*p.x;
    potential dot([1, 2, 3, 4], p);
}

fn main() {}
