use constraint_runtime::prelude::*;

system! {
    struct Fall { m: Real = 1, g: Real = 9.81 }

    particle p: Point2 { mass: m }
    force p: [0, -m*g];
}

fn main() {
    let _start: State<Vector2<f64>> = State::new(0.0, [0.0, 1.0, 2.0], [0.0, 0.0]);
    let _whole: State<Vector2<f64>> = State::new(0.0, [0, -1], [0.0, 0.0]);
}
