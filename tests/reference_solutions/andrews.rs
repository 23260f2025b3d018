//! Andrews' squeezing mechanism: seven bodies in one closed plane loop, driven by a motor of constant torque.
//!
//! Seven angles, six rows of loop closure; the places of the centres of mass and the inertias give the mass
//! matrix that the source prints.
//!
//! Source: [Mazzia & Magherini 2008] F. Mazzia, C. Magherini, *Test Set for Initial Value Problem Solvers*,
//! release 2.4, problem "Andrews' squeezing mechanism" (reference solution by PSIDE with tolerance 10⁻¹⁴);
//! from [Schiehlen 1990] W. Schiehlen (ed.), *Multibody Systems Handbook*. Its multipliers have the opposite
//! sign: M w + Gᵀ λ = f there.

use constraint_runtime::prelude::*;

use crate::andrews_angles::{END, START};
use crate::{assert_absolute, assert_relative};

system! {
    /// The mechanism in the source's symbols (R is `rr`), SI units.
    #[derivatives]
    struct Andrews { torque: Real = 0.033, stiffness: Real = 4530 }

    let a = [-0.06934, -0.00227];
    let b = [-0.03635, 0.03273];
    let c = [0.014, 0.072];
    let d = 0.028;
    let da = 0.0115;
    let e = 0.02;
    let ea = 0.01421;
    let rr = 0.007;
    let ra = 0.00092;
    let zf = 0.02;
    let fa = 0.01421;
    let zt = 0.04;
    let u = 0.04;

    // The unit vector at `angle`, and the one a quarter turn behind it.
    fn along(angle) = [cos(angle), sin(angle)];
    fn beside(angle) = [sin(angle), -cos(angle)];

    coordinate beta, theta, gamma, phi, delta, omega, epsilon;

    particle k1 = ra*along(beta) { mass: 0.04325 }
    particle k2 = rr*along(beta) - da*along(beta + theta) { mass: 0.00365 }
    particle k3 = b + 0.01874*beside(gamma) + 0.01043*along(gamma) { mass: 0.02373 }
    particle k4 = a + zt*along(delta) + (e - ea)*beside(phi + delta) { mass: 0.00706 }
    particle k5 = a + 0.02308*along(delta) - 0.00916*beside(delta) { mass: 0.0705 }
    particle k6 = a + u*beside(epsilon) + (zf - fa)*along(omega + epsilon) { mass: 0.00706 }
    particle k7 = a + 0.01228*beside(epsilon) - 0.00449*along(epsilon) { mass: 0.05498 }

    kinetic 2.194e-6/2*velocity(beta)^2;
    kinetic 4.410e-7/2*(velocity(beta) + velocity(theta))^2;
    kinetic 5.255e-6/2*velocity(gamma)^2;
    kinetic 5.667e-7/2*(velocity(phi) + velocity(delta))^2;
    kinetic 1.169e-5/2*velocity(delta)^2;
    kinetic 5.667e-7/2*(velocity(omega) + velocity(epsilon))^2;
    kinetic 1.912e-5/2*velocity(epsilon)^2;

    let spring = b + 0.02*along(gamma) + 0.018*beside(gamma) - c;
    potential stiffness/2*(norm(spring) - 0.07785)^2;
    force beta: torque;

    let joint = rr*along(beta) - d*along(beta + theta);
    constraint upper: joint - 0.035*beside(gamma) == b;
    constraint left: joint == a + zt*along(delta) + e*beside(phi + delta);
    constraint right: joint == a + u*beside(epsilon) + zf*along(omega + epsilon);
}

/// The accelerations and the multipliers of the source at rest in that position.
const START_ACCELERATION: [f64; 7] = [
    14_222.443_919_954_14,
    -10_666.832_939_965_585,
    0.0,
    0.0,
    0.0,
    0.0,
    0.0,
];
const START_MULTIPLIERS: [f64; 6] = [
    98.566_870_396_241_09,
    -6.122_688_344_255_663,
    0.0,
    0.0,
    0.0,
    0.0,
];

/// The velocities and the multipliers at t = 0.03.
const END_VELOCITY: [f64; 7] = [
    1_139.920_302_151_208,
    -1_424.379_294_994_111,
    11.032_912_219_371_34,
    19.293_374_644_213_85,
    0.573_569_928_479_080_8,
    -19.293_374_644_213_85,
    0.323_179_165_802_695_5,
];
const END_MULTIPLIERS: [f64; 6] = [
    199.175_333_373_191,
    -29.755_312_280_150_52,
    23.066_541_190_982_39,
    31.452_713_654_759_27,
    22.642_492_320_827_39,
    11.617_407_000_196_73,
];

#[test]
fn the_squeezer_starts_with_the_accelerations_of_the_test_set() {
    let (q, v) = (SVector::from(START), SVector::zeros());
    let mechanism = Andrews::default();
    let found = mechanism.acceleration(0.0, &q, &v).unwrap();
    for (found, expected) in found.iter().zip(START_ACCELERATION) {
        assert_absolute(*found, expected, 1e-7);
    }
    let found = mechanism.multipliers(0.0, &q, &v).unwrap();
    for (found, expected) in found.iter().zip(START_MULTIPLIERS) {
        assert_absolute(*found, -expected, 1e-10);
    }
}

#[test]
fn the_squeezer_ends_as_in_the_test_set() {
    let start = State::new(0.0, START, [0.0; 7]);
    let mut run =
        Simulation::new(Andrews::default(), start, DormandPrince::new(1e-12, 1e-12)).unwrap();
    run.run_until(0.03).unwrap();
    for i in 0..7 {
        assert_relative(run.state().q[i], END[i], 1e-9);
        assert_relative(run.state().v[i], END_VELOCITY[i], 1e-7);
    }
    // Of index 3, the source is less accurate with each derivative: ours stay the same to 1e-10 under
    // tolerances from 1e-10 to 1e-13.
    let found = run.multipliers().unwrap();
    for (found, expected) in found.flat.iter().zip(END_MULTIPLIERS) {
        assert_relative(*found, -expected, 2e-6);
    }
}

/// Under every adaptive method and from coarse to fine tolerances; the crank turns two and a half times, and errors grow with
/// it.
#[test]
fn the_squeezer_ends_there_under_any_tolerance() {
    fn off(method: impl Integrator<Scalar = f64>) -> f64 {
        let start = State::new(0.0, START, [0.0; 7]);
        let mut run = Simulation::new(Andrews::default(), start, method).unwrap();
        run.run_until(0.03).unwrap();
        (run.state().q - SVector::from(END)).amax()
    }
    for k in [4, 7, 10, 13] {
        let tolerance = 10.0_f64.powi(-k);
        let allowed = 1e4 * tolerance + 1e-8;
        let explicit = off(DormandPrince::new(tolerance, tolerance / 100.0));
        let implicit = off(Radau5::new(tolerance, tolerance / 100.0));
        assert!(explicit < allowed, "1e-{k}: {explicit:e}");
        assert!(implicit < allowed, "1e-{k}: {implicit:e}");
    }
}
