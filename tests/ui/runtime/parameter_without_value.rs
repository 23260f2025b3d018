use constraint_runtime::prelude::*;

system! {
    pub struct Pendulum { m: Real, l: Real = 1, g: Real = 9.81 }
    particle bob: Point2 { mass: m }
    gravity [0, -g];
    constraint rod: norm(bob) == l;
}

fn main() {
    let _ = Pendulum::default();
}
