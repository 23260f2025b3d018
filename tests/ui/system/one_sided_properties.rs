use constraint_runtime::prelude::*;

system! {
    struct S { mu: Real = 1 }

    particle p: Point2 { mass: 1 }
    constraint a: p.y >= 0 { restitution: -1/2 };
    constraint b: p.y >= 0 { friction: mu };
    constraint c: p.y >= 0 { slip: velocity(p).x };
    constraint d: p.y >= 0 { friction: mu, slip: p.x };
    constraint e: p.y >= 0 { bounce: 1 };
    constraint f: p.y >= 0 { restitution: 1, restitution: 1 };
    constraint g: p.y >= 0 { restitution: norm(velocity(p)) };
    constraint h: velocity(p).y >= 0;
    constraint i: p.y == 0 { restitution: 1 };
    constraint a: p.x <= 0;
    constraint j: p <= [1, 1];
}

fn main() {}
