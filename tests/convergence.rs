//! Convergence orders: the error at a fixed time shrinks as hᵖ, under every stabilisation.

mod runtime_models;

use constraint_runtime::prelude::*;
use runtime_models::{Circle, TurningWire};

const G: f64 = 9.81;
const END: f64 = 1.0;

/// Asserts the order of `integrator` on both model problems.
fn assert_order<I: Integrator<f64> + Copy>(integrator: fn(f64) -> I, steps: [u32; 2]) {
    let order = f64::from(integrator(0.1).order());
    let baumgarte = Stabilization::Baumgarte {
        alpha: 1.0,
        beta: 1.0,
    };
    for stabilization in [Stabilization::default(), baumgarte, Stabilization::None] {
        for error in [pendulum_error, wire_error] {
            let errors = steps.map(|n| error(integrator(END / f64::from(n)), stabilization));
            let ratio = f64::from(steps[1]) / f64::from(steps[0]);
            let observed = (errors[0] / errors[1]).log(ratio);
            assert!(
                (observed - order).abs() < 0.1,
                "{stabilization:?}: order {observed}, errors {errors:?}"
            );
        }
    }
}

#[test]
fn semi_implicit_euler_converges_with_order_one() {
    assert_order(SemiImplicitEuler::new, [500, 1000]);
}

#[test]
fn rk4_converges_with_order_four() {
    assert_order(Rk4::new, [100, 200]);
}

/// Scleronomic: a pendulum let go at 2 rad, against the angle's own equation.
fn pendulum_error<I: Integrator<f64>>(integrator: I, stabilization: Stabilization<f64>) -> f64 {
    let (sin, cos) = 2.0_f64.sin_cos();
    let start = State::new(0.0, [sin, -cos], [0.0, 0.0]);
    let pendulum = Particle::new(1.0).on(Circle).under_gravity([0.0, -G]);
    let mut run = Simulation::new(pendulum, start, integrator)
        .unwrap()
        .with_stabilization(stabilization);
    run.run_until(END).unwrap();
    let (sin, cos) = pendulum_angle(2.0).sin_cos();
    (run.coordinates() - Vector2::new(sin, -cos)).norm()
}

/// θ(END) of θ̈ = −g sin θ from rest, by Störmer–Verlet with Richardson extrapolation.
fn pendulum_angle(theta: f64) -> f64 {
    let verlet = |n: u32| {
        let h = END / f64::from(n);
        let (mut theta, mut omega) = (theta, 0.0);
        for _ in 0..n {
            omega -= 0.5 * h * G * theta.sin();
            theta += h * omega;
            omega -= 0.5 * h * G * theta.sin();
        }
        theta
    };
    // The error holds even powers of h only: two eliminations leave h⁶.
    let [coarse, middle, fine] = [1000, 2000, 4000].map(verlet);
    let (a, b) = (
        middle + (middle - coarse) / 3.0,
        fine + (fine - middle) / 3.0,
    );
    b + (b - a) / 15.0
}

/// Rheonomic: a free bead on a turning wire, against the exponential run outwards.
fn wire_error<I: Integrator<f64>>(integrator: I, stabilization: Stabilization<f64>) -> f64 {
    let wire = TurningWire { omega: 3.0 };
    let mut run = Simulation::new(Particle::new(1.0).on(wire), wire.start(), integrator)
        .unwrap()
        .with_stabilization(stabilization);
    run.run_until(END).unwrap();
    (run.coordinates() - wire.exact(END)).norm()
}
