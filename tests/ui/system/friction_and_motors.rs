use constraint_runtime::prelude::*;

system! {
    struct S { mu: Real = 1 }

    particle p: Point2 { mass: 1 }
    constraint a: p.y == 0 { restitution: 1, friction: mu, slip: velocity(p).x };
    constraint b: p.y == p.x { friction: mu };
    constraint c: p.y == 0 {};
    constraint d: p.y { friction: mu };
    constraint e: p.y == 0 { most: 1 };
    motor f: velocity(p).x == 1;
    motor g: velocity(p).x == 1 {};
    motor h: velocity(p).x >= 1 { most: mu };
    motor i: velocity(p).x { most: mu };
    motor j: velocity(p).x == 1 { most: -1 };
    motor k: velocity(p).x == 1 { most: mu, least: 0 };
    motor l: p.x == 1 { most: mu };
    motor n: velocity(p).x == 1 { most: norm(velocity(p)) };
    motor a: velocity(p).x == 1 { most: mu };
    motor o: velocity(p).y == 1 { most };
}

fn main() {}
