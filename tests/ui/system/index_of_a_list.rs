use constraint_runtime::prelude::*;

system! {
    struct S { m: Real = 1 }
    let half = 1/2;
    let share = [1/3, 2/3];
    particle p: Point2 { mass: share[2] + half[0] }
}

fn main() {}
