use constraint_runtime::prelude::*;

system! {
    struct Crane;

    coordinate x;
    input length;
    particle trolley = [x, 0] { mass: 1 }
    particle load: Point2 { mass: 1 }
    constraint rope: norm(load - trolley) == length;
}

fn main() {}
