//! A slider–crank in three formulations: angles, natural coordinates, bodies. It starts stretched, where the crank's
//! angle, the rod's angle and the heights are zero, and falls from there.

use constraint_runtime::nalgebra::{Isometry2, UnitComplex};
use constraint_runtime::prelude::*;

use crate::EXPONENTS;
use crate::adaptive::{explicitly, implicitly};

system! {
    /// By the angles of the crank and of the rod, uniform rods; the slider has a place of its own.
    #[derivatives]
    pub struct ByAngles { m: Real = 1, slider: Real = 2, r: Real = 1, l: Real = 2.5, g: Real = 9.81 }
    coordinate crank, rod, x;
    let pin = r*[cos(crank), sin(crank)];
    body a: Rigid2 = pose([0, 0], crank)*pose([r/2, 0]) { mass: m, inertia: m*r^2/12 }
    body b: Rigid2 = pose(pin, rod)*pose([l/2, 0]) { mass: m, inertia: m*l^2/12 }
    particle block = [x, 0] { mass: slider }
    constraint end: pin + l*[cos(rod), sin(rod)] == block;
    gravity [0, -g];
}

system! {
    /// By the ends of uniform rods.
    #[derivatives]
    pub struct Natural { m: Real = 1, slider: Real = 2, r: Real = 1, l: Real = 2.5, g: Real = 9.81 }
    particle pin: Point2 { mass: 2*m/3 }
    particle end: Point2 { mass: m/3 + slider }
    kinetic m/3*dot(velocity(pin), velocity(end))/2;
    potential m*g*(pin.y + end.y/2);
    constraint crank: norm_squared(pin) == r^2;
    constraint rod: norm_squared(end - pin) == l^2;
    constraint level: end.y == 0;
}

system! {
    /// By bodies.
    #[derivatives]
    pub struct Bodies { m: Real = 1, slider: Real = 2, r: Real = 1, l: Real = 2.5, g: Real = 9.81 }
    body a: Rigid2 { mass: m, inertia: m*r^2/12 }
    body b: Rigid2 { mass: m, inertia: m*l^2/12 }
    particle block: Point2 { mass: slider }
    constraint foot: at(a, [-r/2, 0]) == [0, 0];
    constraint pin: at(b, [-l/2, 0]) == at(a, [r/2, 0]);
    constraint end: at(b, [l/2, 0]) == block;
    constraint level: block.y == 0;
    gravity [0, -g];
}

/// ω at the start: stretched, a slider–crank falls only if it moves.
const OMEGA: f64 = 1.0;

fn by_angles() -> State<SVector<f64, 3>> {
    State::new(0.0, [0.0, 0.0, 3.5], [OMEGA, -OMEGA / 2.5, 0.0])
}

fn natural() -> State<SVector<f64, 4>> {
    State::new(0.0, [1.0, 0.0, 3.5, 0.0], [0.0, OMEGA, 0.0, 0.0])
}

/// Q and V of `Bodies`.
type Moving = State<SVector<f64, 10>, SVector<f64, 8>>;

fn bodies() -> Moving {
    let turned = |x| Isometry2::from_parts([x, 0.0].into(), UnitComplex::identity());
    let q = BodiesCoordinates {
        a: turned(0.5),
        b: turned(2.25),
        block: Point2::new(3.5, 0.0),
    };
    let twist = |y, angular| Twist2 {
        linear: Vector2::new(0.0, y),
        angular,
    };
    let v = BodiesVelocities {
        a: twist(OMEGA / 2.0, OMEGA),
        b: twist(OMEGA / 2.0, -OMEGA / 2.5),
        block: Vector2::zeros(),
    };
    State::new(0.0, q, v)
}

#[test]
fn formulations_agree() {
    let run = (0.9, 9.81, 300.0);
    let angles = ByAngles::default();
    let ends = [
        explicitly(&angles, &by_angles(), run, EXPONENTS),
        implicitly(&angles, &by_angles(), run, EXPONENTS),
    ];
    let others = [
        explicitly(&Natural::default(), &natural(), run, EXPONENTS),
        implicitly(&Natural::default(), &natural(), run, EXPONENTS),
    ];
    let apart = explicitly(&Bodies::default(), &bodies(), run, EXPONENTS);
    for ((a, b), k) in ends[0].iter().zip(&apart).zip(EXPONENTS) {
        let off = (a.q[2] - BodiesCoordinates::from(b.q).block.x).abs();
        assert!(off < 1000.0 * 10.0_f64.powi(-k) + 1e-11, "1e-{k}: {off:e}");
    }
    for (ends, others) in ends.iter().zip(&others) {
        for ((a, b), k) in ends.iter().zip(others).zip(EXPONENTS) {
            let (sin, cos) = a.q[0].sin_cos();
            let off = (cos - b.q[0])
                .abs()
                .max((sin - b.q[1]).abs())
                .max((a.q[2] - b.q[2]).abs());
            assert!(off < 1000.0 * 10.0_f64.powi(-k) + 1e-11, "1e-{k}: {off:e}");
        }
    }
}
