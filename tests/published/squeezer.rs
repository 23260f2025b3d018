//! A03, Andrews' squeezing mechanism, in natural coordinates and as seven bodies on ten pins. In angles it is in
//! `reference_solutions`, which names the source of its numbers; the published angles at the end place the pins here.

use constraint_runtime::nalgebra::Isometry2;
use constraint_runtime::prelude::*;

use crate::EXPONENTS;
use crate::andrews_angles::{END, START};

system! {
    /// The four pins that move; each body moves with two pins, of which some are fixed.
    #[derivatives]
    pub struct Natural { torque: Real = 0.033, stiffness: Real = 4530 }
    let a = [-0.06934, -0.00227];
    let b = [-0.03635, 0.03273];
    let c = [0.014, 0.072];
    coordinate fx, fy, ex, ey, gx, gy, hx, hy;
    let f = [fx, fy];
    let e = [ex, ey];
    let g = [gx, gy];
    let h = [hx, hy];
    // The point at x along a line from p to q, in parts of its length, and y to its left.
    fn beside(p, q, x, y) = p + x*(q - p) + y*perp(q - p);
    // The energy of a turn, twice, for a length l.
    fn turn(p, q, l) = norm_squared(velocity(q) - velocity(p))/l^2;

    particle k1 = 0.00092/0.007*f { mass: 0.04325 }
    particle k2 = beside(f, e, 0.0115/0.028, 0) { mass: 0.00365 }
    particle k3 = beside(b, e, 0.01874/0.035, 0.01043/0.035) { mass: 0.02373 }
    particle k4 = beside(g, e, (0.02 - 0.01421)/0.02, 0) { mass: 0.00706 }
    particle k5 = beside(a, g, 0.02308/0.04, 0.00916/0.04) { mass: 0.0705 }
    particle k6 = beside(h, e, (0.02 - 0.01421)/0.02, 0) { mass: 0.00706 }
    particle k7 = beside(a, h, 0.01228/0.04, -0.00449/0.04) { mass: 0.05498 }
    kinetic 2.194e-6/2*norm_squared(velocity(f))/0.007^2;
    kinetic 4.410e-7/2*turn(f, e, 0.028);
    kinetic 5.255e-6/2*norm_squared(velocity(e))/0.035^2;
    kinetic 5.667e-7/2*turn(g, e, 0.02);
    kinetic 1.169e-5/2*norm_squared(velocity(g))/0.04^2;
    kinetic 5.667e-7/2*turn(h, e, 0.02);
    kinetic 1.912e-5/2*norm_squared(velocity(h))/0.04^2;

    let spring = beside(b, e, 0.018/0.035, 0.02/0.035) - c;
    potential stiffness/2*(norm(spring) - 0.07785)^2;
    // A torque is a force across the crank.
    force k1: torque/(0.00092*0.007)*perp(f);

    constraint crank: norm(f) == 0.007;
    constraint rod: norm(e - f) == 0.028;
    constraint triangle: norm(e - b) == 0.035;
    constraint upper: norm(e - g) == 0.02;
    constraint left: norm(g - a) == 0.04;
    constraint lower: norm(e - h) == 0.02;
    constraint right: norm(h - a) == 0.04;
}

system! {
    /// The bodies, each in the frame of its angle at its center of mass.
    pub struct Bodies { torque: Real = 0.033, stiffness: Real = 4530 }
    let a = [-0.06934, -0.00227];
    let b = [-0.03635, 0.03273];
    let c = [0.014, 0.072];
    body k1: Rigid2 { mass: 0.04325, inertia: 2.194e-6 }
    body k2: Rigid2 { mass: 0.00365, inertia: 4.410e-7 }
    body k3: Rigid2 { mass: 0.02373, inertia: 5.255e-6 }
    body k4: Rigid2 { mass: 0.00706, inertia: 5.667e-7 }
    body k5: Rigid2 { mass: 0.0705, inertia: 1.169e-5 }
    body k6: Rigid2 { mass: 0.00706, inertia: 5.667e-7 }
    body k7: Rigid2 { mass: 0.05498, inertia: 1.912e-5 }
    torque k1: torque;
    let spring = at(k3, [0.02 - 0.01043, 0.01874 - 0.018]) - c;
    potential stiffness/2*(norm(spring) - 0.07785)^2;

    constraint o: at(k1, [-0.00092, 0]) == [0, 0];
    constraint f: at(k2, [0.0115, 0]) == at(k1, [0.007 - 0.00092, 0]);
    let e = at(k3, [-0.01043, 0.01874 - 0.035]);
    constraint e2: at(k2, [0.0115 - 0.028, 0]) == e;
    constraint e4: at(k4, [0, -0.01421]) == e;
    constraint e6: at(k6, [0.01421, 0]) == e;
    constraint foot: at(k3, [-0.01043, 0.01874]) == b;
    constraint g: at(k4, [0, 0.02 - 0.01421]) == at(k5, [0.04 - 0.02308, -0.00916]);
    constraint left: at(k5, [-0.02308, -0.00916]) == a;
    constraint h: at(k6, [0.01421 - 0.02, 0]) == at(k7, [0.00449, 0.01228 - 0.04]);
    constraint right: at(k7, [0.00449, 0.01228]) == a;
}

/// The unit vector at an angle, and the one a quarter turn behind it.
fn along(angle: f64) -> Vector2<f64> {
    Vector2::new(angle.cos(), angle.sin())
}

fn behind(angle: f64) -> Vector2<f64> {
    Vector2::new(angle.sin(), -angle.cos())
}

const A: Vector2<f64> = Vector2::new(-0.06934, -0.00227);
const B: Vector2<f64> = Vector2::new(-0.03635, 0.03273);

/// The pins f, e, g and h.
fn pins([beta, _, gamma, _, delta, _, epsilon]: [f64; 7]) -> SVector<f64, 8> {
    let all = [
        0.007 * along(beta),
        B + 0.035 * behind(gamma),
        A + 0.04 * along(delta),
        A + 0.04 * behind(epsilon),
    ];
    SVector::from_iterator(all.iter().flat_map(|pin| [pin.x, pin.y]))
}

/// The centers of mass and the angles of the bodies.
fn places([beta, theta, gamma, phi, delta, omega, epsilon]: [f64; 7]) -> BodiesCoordinates<f64> {
    let at = |center: Vector2<f64>, angle: f64| Isometry2::new(center, angle);
    let turned = [beta + theta, phi + delta, omega + epsilon];
    let crank = along(beta);
    BodiesCoordinates {
        k1: at(0.00092 * crank, beta),
        k2: at(0.007 * crank - 0.0115 * along(turned[0]), turned[0]),
        k3: at(B + 0.01874 * behind(gamma) + 0.01043 * along(gamma), gamma),
        k4: at(
            A + 0.04 * along(delta) + 0.00579 * behind(turned[1]),
            turned[1],
        ),
        k5: at(A + 0.02308 * along(delta) - 0.00916 * behind(delta), delta),
        k6: at(
            A + 0.04 * behind(epsilon) + 0.00579 * along(turned[2]),
            turned[2],
        ),
        k7: at(
            A + 0.01228 * behind(epsilon) - 0.00449 * along(epsilon),
            epsilon,
        ),
    }
}

/// Runs `system` to the published end.
#[track_caller]
fn ends<S: System<f64>>(
    system: S,
    start: State<S::Q, S::V>,
    method: impl Integrator<Scalar = f64>,
) -> S::Q {
    let mut run = Simulation::new(system, start, method).expect("the published start");
    run.run_until(0.03).expect("the published motion");
    run.state().q.clone()
}

/// In units of a millimetre.
fn off(found: &[f64], published: &[f64]) -> f64 {
    let all = found.iter().zip(published);
    all.fold(0.0, |most, (x, y)| (x - y).abs().max(most)) * 1000.0
}

#[test]
fn its_pins_end_at_the_published_places() {
    let [start, published] = [START, END].map(pins);
    let start = State::new(0.0, start, SVector::zeros());
    for k in EXPONENTS {
        let tolerance = 10.0_f64.powi(-k);
        let (explicit, implicit) = (
            DormandPrince::new(tolerance, tolerance / 100.0),
            Radau5::new(tolerance, tolerance / 100.0),
        );
        for found in [
            ends(Natural::default(), start, explicit),
            ends(Natural::default(), start, implicit),
        ] {
            let off = off(found.as_slice(), published.as_slice());
            assert!(off < 200.0 * tolerance + 2e-8, "1e-{k}: {off:e}");
        }
    }
}

#[test]
fn its_bodies_end_at_the_published_places() {
    let [start, published] = [START, END].map(places);
    let start = State::new(0.0, start, SVector::zeros());
    for k in EXPONENTS {
        let tolerance = 10.0_f64.powi(-k);
        let method = DormandPrince::new(tolerance, tolerance / 100.0);
        let found = BodiesCoordinates::from(ends(Bodies::default(), start, method));
        let found = [
            found.k1, found.k2, found.k3, found.k4, found.k5, found.k6, found.k7,
        ];
        let known = [
            published.k1,
            published.k2,
            published.k3,
            published.k4,
            published.k5,
            published.k6,
            published.k7,
        ];
        for (found, known) in found.iter().zip(known) {
            let apart = (found.translation.vector - known.translation.vector).amax() * 1000.0;
            let turned = found.rotation.angle_to(&known.rotation).abs();
            assert!(
                apart.max(turned) < 200.0 * tolerance + 2e-8,
                "1e-{k}: {apart:e} {turned:e}"
            );
        }
    }
}
