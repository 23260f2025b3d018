//! All outputs that have Jacobians get them.

use constraint_runtime::prelude::*;

system! {
    #[task_space(tip)]
    struct Bob { m: Real = 1, l: Real = 2 }
    particle bob: Point2 { mass: m }
    output tip = bob;
}

fn main() {}
