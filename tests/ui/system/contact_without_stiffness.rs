use constraint_runtime::prelude::*;

system! {
    struct S { k: Real = 1 }

    particle p: Point2 { mass: 1 }
    floor: Contact { gap: p.y, stifness: k }
    skid: Friction { slip: velocity(p), coulomb: floor.push, slip_rate: 1 }
    wall: Contcat { gap: p.x, stiffness: k }
}

fn main() {}
