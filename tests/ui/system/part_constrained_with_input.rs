use constraint_runtime::prelude::*;

system! {
    struct S;

    part Rope { length: Real } {
        particle load: Point2 { mass: 1 }
        constraint rope: norm(load) == length;
    }
    input u;
    rope: Rope { length: u }
}

fn main() {}
