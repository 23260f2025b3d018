//! The plane pendulum of any amplitude, by Jacobi's elliptic functions.
//!
//! Let go at θ₀: sin(θ/2) = k sn(K − ω₀ t | k²) with k = sin(θ₀/2) and ω₀ = √(g/l), of period 4 K/ω₀. Thrown
//! through the lowest point with θ̇₀ > 2 ω₀: θ = 2 am(θ̇₀ t/2 | (2 ω₀/θ̇₀)²). The rod pulls with
//! S = m (g cos θ + l θ̇²) throughout.
//!
//! Source: [Whittaker 1937] *A Treatise on the Analytical Dynamics of Particles and Rigid Bodies*, chapter IV. Let
//! go at 90° with l = 1 m this is problem A01 of the IFToMM library of computational benchmark problems.

use constraint_runtime::prelude::*;

use crate::special::{amplitude, complete_elliptic};
use crate::{G, assert_absolute, assert_relative};

constraint! {
    struct Rod { length: Real }
    |p: Point2| norm(p) == length
}

const MASS: f64 = 1.3;

/// A pendulum of length `l` at θ with θ̇ = `rate`, measured from the lowest point.
fn pendulum(
    l: f64,
    theta: f64,
    rate: f64,
) -> Simulation<impl System<f64, Q = SVector<f64, 2>, V = SVector<f64, 2>>, Rk4<f64>> {
    let bead = Particle::new(MASS)
        .on(Rod { length: l })
        .under_gravity([0.0, -G]);
    let (sin, cos) = theta.sin_cos();
    let start = State::new(0.0, [l * sin, -l * cos], [l * cos * rate, l * sin * rate]);
    Simulation::new(bead, start, Rk4::new(2e-4)).unwrap()
}

/// Runs to time `t` and compares the place with θ.
#[track_caller]
fn assert_angle<S: System<f64, Q = SVector<f64, 2>, V = SVector<f64, 2>>>(
    run: &mut Simulation<S, Rk4<f64>>,
    t: f64,
    l: f64,
    theta: f64,
) {
    run.run_until(t).unwrap();
    let (sin, cos) = theta.sin_cos();
    assert_absolute(run.state().q.x, l * sin, 1e-9);
    assert_absolute(run.state().q.y, -l * cos, 1e-9);
}

#[test]
fn a_swinging_pendulum_follows_the_elliptic_sine() {
    let l = 0.7;
    for theta in [0.1_f64, 1.0, std::f64::consts::FRAC_PI_2, 2.0, 3.0] {
        let omega = (G / l).sqrt();
        let k = (theta / 2.0).sin();
        let quarter = complete_elliptic(k * k);
        let mut run = pendulum(l, theta, 0.0);
        for t in [0.2, 0.5, 1.1, 2.0] {
            let sn = amplitude(quarter - omega * t, k * k).sin();
            assert_angle(&mut run, t, l, 2.0 * (k * sn).asin());
        }
    }
}

#[test]
fn a_thrown_pendulum_turns_over_as_the_amplitude() {
    let l: f64 = 0.7;
    for excess in [1.05, 1.5, 3.0] {
        let rate = excess * 2.0 * (G / l).sqrt();
        let mut run = pendulum(l, 0.0, rate);
        for t in [0.2, 0.5, 1.1] {
            let theta = 2.0 * amplitude(0.5 * rate * t, 1.0 / (excess * excess));
            assert_angle(&mut run, t, l, theta);
        }
    }
}

/// Problem A01: l = 1 m, let go at (−1, 0). The period is 1.18034 of that of small oscillations.
#[test]
fn the_benchmark_pendulum_returns_after_its_period() {
    let period = 1.180_340_599_016_096 * std::f64::consts::TAU / G.sqrt();
    assert_relative(period, 4.0 * complete_elliptic(0.5) / G.sqrt(), 1e-15);
    let mut run = pendulum(1.0, -std::f64::consts::FRAC_PI_2, 0.0);
    run.run_until(period).unwrap();
    assert_absolute(run.state().q.x, -1.0, 1e-9);
    assert_absolute(run.state().v.norm(), 0.0, 1e-8);
}

/// λ belongs to |p| − l, whose gradient points outwards: the pull is −λ.
#[test]
fn the_rod_pulls_as_the_textbook_says() {
    for (theta, rate) in [(0.0, 0.0), (0.4, 1.5), (2.5, -4.0), (1.0_f64, 0.0)] {
        let l = 0.7;
        let pull = MASS * (G * theta.cos() + l * rate * rate);
        let run = pendulum(l, theta, rate);
        assert_absolute(run.multipliers().unwrap()[0], -pull, 1e-12);
    }
}
