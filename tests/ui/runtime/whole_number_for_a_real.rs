use constraint_runtime::prelude::*;

system! {
    struct Fall { m: Real = 1, g: Real = 9.81 }

    particle p: Point2 { mass: m }
    force p: [0, -m*g];
}

fn main() {
    let _fall = Fall { m: 1, g: 9 };
}
