use constraint_runtime::prelude::*;

system! {
    pub struct Steep { g: Real = 9.81 }
    fn wall(x) = 1e308*x^1000;
    particle bead: Point2 { mass: 1 }
    potential g*bead.y + wall(bead.x);
}

fn main() {}
