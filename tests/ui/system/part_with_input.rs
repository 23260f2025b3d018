use constraint_runtime::prelude::*;

system! {
    struct S;

    part Leg { m: Real } {
        input u: Vector2;
        particle foot: Point2 { mass: m }
        force foot: u;
    }
    leg: Leg { m: 1 }
}

fn main() {}
