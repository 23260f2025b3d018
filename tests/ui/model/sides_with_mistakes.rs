use constraint_runtime::prelude::*;

constraint! {
    struct Floor { mu: Real }
    |p: Point3| p.z >= 0 { friction: mu }
}

constraint! {
    struct Wall { mu: Real }
    |x, y, t: Time| [x <= speed*t { restitution: -1 }, y >= 0 { friction: mu, slip: y }, x >= -1 { bounce: 1 }]
}

constraint! {
    struct Still { mu: Real }
    |x, y| mu >= 1
}

constraint! {
    struct Straight { mu: Real }
    |x, y| y == x { restitution: 1 }
}

fn main() {}
