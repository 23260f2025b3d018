//! No output has a Jacobian.

use constraint_runtime::prelude::*;

system! {
    #[task_space]
    struct Bob { m: Real = 1, l: Real = 2 }
    particle bob: Point2 { mass: m }
    constraint rod: norm(bob) == l;
    output pull = multiplier(rod);
    output speed = norm(velocity(bob));
}

fn main() {}
