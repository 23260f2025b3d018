use constraint_runtime::prelude::*;

system! {
    struct S { mu: Real = 1 }

    particle p: Point2 { mass: 1 }
    constraint floor: p.y >= 0 { friction: mu, slip: norm(velocity(p)) };
    constraint still: mu >= 0;
    motor m: velocity(p).x^2 == 1 { most: mu };
}

fn main() {}
