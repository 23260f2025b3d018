use constraint_runtime::prelude::*;

system! {
    #[solver(rolled)]
    #[redundant(least_squares)]
    pub struct Doubled { m: Real = 1 }

    particle p: Point2 { mass: m }

    constraint rod: norm(p) == 1;
    constraint again: norm_squared(p) == 1;
}

fn main() {
    let _ = Doubled::<f64>::default();
}
