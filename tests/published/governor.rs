//! A05, the flyball governor, with rigid links in place of its stiff springs, and rods as bodies: hinges at right angles
//! to the shaft, whose rows are zero to rounding at the start.

use constraint_runtime::nalgebra::{Isometry3, UnitQuaternion};
use constraint_runtime::prelude::*;

use crate::EXPONENTS;
use crate::adaptive::explicitly;

system! {
    /// A shaft, two rods on hinges across it, and a sleeve that links of fixed length hold.
    pub struct Governor {
        rod_mass: Real = 0.3, ball: Real = 5, sleeve_mass: Real = 10, l: Real = 1, half: Real = 0.5, g: Real = 9.81,
    }
    body shaft: Rigid3 { mass: 1, inertia: [0.1, 0.1, 0.01] }
    body rod[2]: Rigid3 { mass: ball + rod_mass, inertia: [0.6, 0.6, 0.01] }
    particle sleeve: Point3 { mass: sleeve_mass }
    let up = [0, 0, 1];
    let y = [0, 1, 0];
    constraint foot: at(shaft, [0, 0, 0]) == [0, 0, 0];
    constraint upright: [dir(shaft, up).x, dir(shaft, up).y];
    for i in 0..2 {
        constraint hinge[i]: [
            at(rod[i], [0, 0, l]) == at(shaft, [0, 0, 0]),
            dot(dir(rod[i], y), dir(shaft, [1, 0, 0])),
            dot(dir(rod[i], y), up),
        ];
    }
    constraint axis: [sleeve.x, sleeve.y];
    for i in 0..2 { constraint link[i]: norm(at(rod[i], [0, 0, l - half]) - sleeve) == half; }
    gravity [0, 0, -g];
}

pub fn start() -> State<SVector<f64, 24>, SVector<f64, 21>> {
    let open = std::f64::consts::FRAC_PI_6;
    let spin = Vector3::new(0.0, 0.0, 2.0 * std::f64::consts::PI);
    let (mut q, mut v) = (
        GovernorCoordinates::default(),
        GovernorVelocities::default(),
    );
    q.shaft = Isometry3::identity();
    v.shaft.angular = spin;
    for (i, angle) in [-open, open].into_iter().enumerate() {
        let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), angle);
        let center = turn * Vector3::new(0.0, 0.0, -1.0);
        q.rod[i] = Isometry3::from_parts(center.into(), turn);
        v.rod[i] = Twist3 {
            linear: spin.cross(&center),
            angular: spin,
        };
    }
    q.sleeve = Point3::new(0.0, 0.0, -open.cos());
    State::new(0.0, q, v)
}

#[test]
fn it_starts_with_rods_as_bodies() {
    let ends = explicitly(
        &Governor::default(),
        &start(),
        (0.3, 100.0, 300.0),
        EXPONENTS,
    );
    for (end, k) in ends.iter().zip(EXPONENTS) {
        let q = GovernorCoordinates::from(end.q);
        let arms = q.rod.map(|rod| rod.translation.vector);
        // Both arms open alike, opposite to each other, and the sleeve is where its links hold it.
        let off = (arms[0] + arms[1])
            .xy()
            .amax()
            .max((q.sleeve.z - arms[0].z).abs());
        assert!(off < 1000.0 * 10.0_f64.powi(-k) + 1e-11, "1e-{k}: {off:e}");
    }
}
