//! A million steps of the implicit methods stay on the constraints.

use constraint_runtime::make_consistent;
use constraint_runtime::prelude::*;

const STEPS: usize = 1_000_000;

system! {
    /// Two rods in a row, the upper pinned by a bushing that hardly gives.
    #[derivatives]
    struct Rods { m: Real = 1, l: Real = 1, k: Real = 1e6, c: Real = 1e2, g: Real = 9.81 }
    particle pin: Point2 { mass: m }
    particle elbow: Point2 { mass: m }
    particle hand: Point2 { mass: m }
    constraint upper: norm(elbow - pin) == l;
    constraint lower: norm(hand - elbow) == l;
    gravity [0, -g];
    potential k/2*norm_squared(pin);
    dissipation c/2*norm_squared(velocity(pin));
}

/// Largest |C| of the first and of the last tenth of a million steps.
fn drifts(method: impl Integrator<Scalar = f64>, stabilization: Stabilization<f64>) -> [f64; 2] {
    let start = RodsCoordinates {
        pin: Point2::origin(),
        elbow: Point2::new(1.0, 0.0),
        hand: Point2::new(1.6, 0.8),
    };
    let start = State::new(0.0, start, RodsVelocities::default());
    let start = make_consistent(&Rods::default(), start).unwrap();
    let run = Simulation::new(Rods::default(), start, method).unwrap();
    let mut run = run.with_stabilization(stabilization);
    let mut tenths = [0.0_f64; 10];
    for i in 0..STEPS {
        run.step().unwrap();
        let tenth = &mut tenths[i * 10 / STEPS];
        *tenth = tenth.max(run.drift());
    }
    [tenths[0], tenths[9]]
}

const PROJECTED: Stabilization<f64> = Stabilization::Projection { tolerance: 0.0 };

#[test]
fn generalized_alpha_does_not_drift() {
    assert_none(drifts(GeneralizedAlpha::new(1e-3, 0.8), PROJECTED));
}

#[test]
fn radau_does_not_drift() {
    let radau = Radau5::new(1e-6, 1e-6).with_longest_step(1e-2);
    assert_none(drifts(radau, PROJECTED));
}

/// Rounding of C, which does not grow.
#[track_caller]
fn assert_none([first, last]: [f64; 2]) {
    assert!(first < 1e-14 && last < 1e-14, "{first:e} {last:e}");
}

/// The same run left to itself: the tests above can fail.
#[test]
fn without_projection_it_does() {
    let [first, last] = drifts(GeneralizedAlpha::new(1e-3, 0.8), Stabilization::None);
    assert!(first > 1e-12 && last > 2.0 * first, "{first:e} {last:e}");
}
