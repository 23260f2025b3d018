use constraint_runtime::prelude::*;

system! {
    pub struct Foot { m: Real = 1 }
    particle foot: Point2 { mass: m }
    constraint wall: -2*exp(foot.y)*min(foot.x, 0) == 0;
    constraint step: if foot.x > 1 { foot.y - foot.x } else { 0 };
}

fn main() {}
