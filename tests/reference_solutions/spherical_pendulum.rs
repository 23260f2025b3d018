//! The spherical pendulum: its steady circles, and the slow turn of its ellipses.
//!
//! - On the cone of angle α it circles with Ω² = g/(l cos α), and the rod pulls with m g/cos α.
//!   Source: [Landau & Lifshitz 1976] *Mechanics*, §14, problem 1 (ṙ = 0).
//! - An ellipse of small semi-axes a, b turns in the sense of the motion by 3/8 a b/l² of a revolution each
//!   period, to the next order in a/l. Source: [Olsson 1981] M. G. Olsson, *Spherical pendulum revisited*,
//!   Am. J. Phys. 49, 531–534.

use constraint_runtime::prelude::*;

use crate::{G, assert_absolute, assert_relative};

constraint! {
    struct Rod { length: Real }
    |p: Point3| norm(p) == length
}

const MASS: f64 = 1.3;
const L: f64 = 0.7;

fn pendulum(
    q: [f64; 3],
    v: [f64; 3],
    h: f64,
) -> Simulation<impl System<f64, Q = SVector<f64, 3>, V = SVector<f64, 3>>, Rk4<f64>> {
    let bead = Particle::new(MASS)
        .on(Rod { length: L })
        .under_gravity([0.0, 0.0, -G]);
    Simulation::new(bead, State::new(0.0, q, v), Rk4::new(h)).unwrap()
}

#[test]
fn a_conical_pendulum_circles_steadily() {
    for alpha in [0.2_f64, 0.8, 1.3] {
        let (sin, cos) = alpha.sin_cos();
        let omega = (G / (L * cos)).sqrt();
        let (r, z) = (L * sin, -L * cos);
        let mut run = pendulum([r, 0.0, z], [0.0, r * omega, 0.0], 1e-3);
        assert_relative(run.multipliers().unwrap()[0], -MASS * G / cos, 1e-12);
        run.run_until(1.5).unwrap();
        let (sin, cos) = (1.5 * omega).sin_cos();
        assert_absolute(run.state().q.x, r * cos, 1e-9);
        assert_absolute(run.state().q.y, r * sin, 1e-9);
        assert_absolute(run.state().q.z, z, 1e-9);
    }
}

#[test]
fn a_small_ellipse_turns_with_the_product_of_its_axes() {
    let (a, b) = (0.02, 0.01);
    let omega = (G / L).sqrt();
    let height = |x: f64, y: f64| -(L * L - x * x - y * y).sqrt();
    // At the end of the long axis, with the speed of the small oscillation.
    let mut run = pendulum([a, 0.0, height(a, 0.0)], [0.0, b * omega, 0.0], 2e-3);
    // Half a revolution around the tenth return, far from the two ends of the short axis.
    let period = std::f64::consts::TAU / omega;
    run.run_until(9.9 * period).unwrap();
    let (mut last, mut turn) = (None, f64::NAN);
    run.run_until_with(10.1 * period, |state| {
        let (q, v) = (state.q.xy(), state.v.xy());
        // r ṙ falls through zero on the long axis; between two steps it is a straight line.
        let (approach, angle) = (q.dot(&v), q.y.atan2(q.x));
        if let Some((before, from)) = last.replace((approach, angle))
            && before > 0.0
            && approach <= 0.0
        {
            turn = from + (angle - from) * before / (before - approach);
        }
    })
    .unwrap();
    let expected = 10.0 * std::f64::consts::TAU * 0.375 * a * b / (L * L);
    // What is left out is smaller by (a/l)².
    assert_relative(turn, expected, 2e-3);
}
