//! A05, the flyball governor, with rigid links in place of its stiff springs, and rods as bodies: hinges at right angles
//! to the shaft, whose rows are zero to rounding at the start.

use constraint_runtime::nalgebra::{Isometry3, UnitQuaternion};
use constraint_runtime::prelude::*;

use crate::EXPONENTS;
use crate::adaptive::{explicitly, implicitly};

system! {
    /// A shaft, two rods on hinges across it, and a sleeve that links of fixed length hold.
    #[derivatives]
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

system! {
    /// The same in natural coordinates: the direction e of the shaft's x axis in the plane, the balls, which lie in the plane
    /// of e and the shaft, and the sleeve. Euler's tensors weigh the axes of a body: ½ Σ Jₖ |ėₖ|² with Jₓ = (I_y + I_z − Iₓ)/2.
    #[derivatives]
    pub struct Natural {
        rod_mass: Real = 0.3, ball: Real = 5, sleeve_mass: Real = 10, l: Real = 1, half: Real = 0.5, g: Real = 9.81,
    }
    coordinate ex, ey;
    particle rod[2]: Point3 { mass: ball + rod_mass }
    particle sleeve: Point3 { mass: sleeve_mass }
    let h = [-ey, ex, 0];
    // The shaft, whose other axes are alike, and of the rods what turns with the hinges' axis.
    kinetic (0.01 + 2*0.005)/2*norm_squared(velocity(h));
    for i in 0..2 {
        kinetic 0.595/2*norm_squared(velocity(rod[i]))/l^2 + 0.005/2*norm_squared(velocity(cross(h, rod[i])))/l^2;
        constraint across[i]: dot(rod[i], h) == 0;
        constraint length[i]: norm_squared(rod[i]) == l^2;
        constraint link[i]: norm(rod[i]*half/l - sleeve) == half;
    }
    constraint unit: ex^2 + ey^2 == 1;
    constraint axis: [sleeve.x, sleeve.y];
    gravity [0, 0, -g];
}

/// Of the rods tilted to both sides.
fn natural() -> State<SVector<f64, 11>> {
    let (sin, cos) = std::f64::consts::FRAC_PI_6.sin_cos();
    let spin = 2.0 * std::f64::consts::PI;
    let (mut q, mut v) = (NaturalCoordinates::default(), NaturalVelocities::default());
    (q.ex, v.ey) = (1.0, spin);
    for (i, side) in [1.0, -1.0].into_iter().enumerate() {
        q.rod[i] = Point3::new(side * sin, 0.0, -cos);
        v.rod[i] = Vector3::new(0.0, side * sin * spin, 0.0);
    }
    q.sleeve = Point3::new(0.0, 0.0, -cos);
    State::new(0.0, q, v)
}

#[test]
fn it_runs_in_natural_coordinates() {
    let run = (0.3, 100.0, 300.0);
    let bodies = explicitly(&Governor::default(), &start(false), run, [12]);
    let height = GovernorCoordinates::from(bodies[0].q).sleeve.z;
    let (system, start) = (Natural::default(), natural());
    let ends = [
        explicitly(&system, &start, run, EXPONENTS),
        implicitly(&system, &start, run, EXPONENTS),
    ];
    for (end, k) in ends.iter().flat_map(|ends| ends.iter().zip(EXPONENTS)) {
        let off = (NaturalCoordinates::from(end.q).sleeve.z - height).abs();
        assert!(off < 1000.0 * 10.0_f64.powi(-k) + 1e-10, "1e-{k}: {off:e}");
    }
}

/// The second rod is the first one, turned by half a turn about the shaft or tilted to the other side.
pub fn start(turned: bool) -> State<SVector<f64, 24>, SVector<f64, 21>> {
    let open = std::f64::consts::FRAC_PI_6;
    let spin = Vector3::new(0.0, 0.0, 2.0 * std::f64::consts::PI);
    let (mut q, mut v) = (
        GovernorCoordinates::default(),
        GovernorVelocities::default(),
    );
    q.shaft = Isometry3::identity();
    v.shaft.angular = spin;
    let tilts = if turned {
        [-open, -open]
    } else {
        [-open, open]
    };
    for (i, angle) in tilts.into_iter().enumerate() {
        let about = if turned {
            i as f64 * std::f64::consts::PI
        } else {
            0.0
        };
        let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), about)
            * UnitQuaternion::from_axis_angle(&Vector3::y_axis(), angle);
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
fn it_runs_with_rods_as_bodies() {
    for turned in [false, true] {
        let run = (0.3, 100.0, 300.0);
        let (system, start) = (Governor::default(), start(turned));
        let ends = [
            explicitly(&system, &start, run, EXPONENTS),
            implicitly(&system, &start, run, EXPONENTS),
        ];
        for (end, k) in ends.iter().flat_map(|ends| ends.iter().zip(EXPONENTS)) {
            let q = GovernorCoordinates::from(end.q);
            let arms = q.rod.map(|rod| rod.translation.vector);
            // Both arms open by the same angle, opposite to each other, and the links place the sleeve.
            let apart = (arms[0] + arms[1]).xy().amax();
            let off = apart.max((q.sleeve.z - arms[0].z).abs());
            assert!(off < 1000.0 * 10.0_f64.powi(-k) + 1e-11, "1e-{k}: {off:e}");
        }
    }
}

/// The same by minimal coordinates: L² = (shaft + 2 (I sin² + …)) and the energy alone decide the opening, so that the
/// speed of the arms follows from their angle.
#[test]
fn its_arms_open_by_energy_and_momentum() {
    let system = Governor::default();
    let (start, run) = (start(true), (0.3, 100.0, 300.0));
    let ends = explicitly(&system, &start, run, [8, 11]);
    // Of two arms and the shaft about z, and of the arms about their hinges; the sleeve rises with both.
    let about = |open: f64| {
        let (sin, cos) = open.sin_cos();
        0.01 + 2.0 * (5.3 * sin * sin + 0.6 * sin * sin + 0.01 * cos * cos)
    };
    let opening = |open: f64| 2.0 * (5.3 + 0.6) + 10.0 * open.sin().powi(2);
    let weight = |open: f64| -9.81 * (2.0 * 5.3 + 10.0) * open.cos();
    let first = std::f64::consts::FRAC_PI_6;
    let spin = 2.0 * std::f64::consts::PI;
    let momentum = about(first) * spin;
    let energy = momentum * spin / 2.0 + weight(first);
    for (end, allowed) in ends.iter().zip([1e-5, 1e-8]) {
        let rod = GovernorCoordinates::from(end.q).rod[0].translation.vector;
        let twist = GovernorVelocities::from(end.v).rod[0].linear;
        let open = rod.xy().norm().atan2(-rod.z);
        let rate = twist.z / open.sin();
        let left = momentum * momentum / about(open) / 2.0
            + opening(open) * rate * rate / 2.0
            + weight(open);
        assert!(
            (left - energy).abs() < allowed * 100.0,
            "{:e}",
            left - energy
        );
        assert!(
            (open - first).abs() > 0.01,
            "it opens by {:e}",
            open - first
        );
    }
}
