use constraint_runtime::prelude::*;

system! {
    struct S;

    part Leg { hip: Vector2, trunk: Rigid2, w: [Real; 3] } { particle foot: Point2 { mass: 1 } }
    body trunk: Rigid2 { mass: 1, inertia: 1 }
    leg: Leg { hip: 3, trunk: at(trunk, [0, 1]), w: [1, 2] }
}

fn main() {}
