//! A bead on a vertical hoop of radius r that turns with Ω about its vertical diameter.
//!
//! For Ω² > g/r it rests at cos θ = g/(Ω² r) from the lowest point, and oscillates about it with Ω sin θ.
//! Source: [Taylor 2005] *Classical Mechanics*, examples 7.6 and 7.7.

use constraint_runtime::prelude::*;

use crate::{G, assert_absolute};

constraint! {
    struct Hoop { r: Real, omega: Real }
    |p: Point3, t: Time| [norm_squared(p) == r^2, p.x*sin(omega*t) == p.y*cos(omega*t)]
}

const R: f64 = 0.5;
const OMEGA: f64 = 7.0;

/// The bead at rest on the hoop at θ.
fn bead(
    theta: f64,
) -> Simulation<impl System<f64, Q = SVector<f64, 3>, V = SVector<f64, 3>>, Rk4<f64>> {
    let bead = Particle::new(0.8)
        .on(Hoop { r: R, omega: OMEGA })
        .under_gravity([0.0, 0.0, -G]);
    let (sin, cos) = theta.sin_cos();
    let start = State::new(0.0, [R * sin, 0.0, -R * cos], [0.0, R * sin * OMEGA, 0.0]);
    Simulation::new(bead, start, Rk4::new(1e-3)).unwrap()
}

fn rest() -> f64 {
    (G / (OMEGA * OMEGA * R)).acos()
}

/// θ of the bead now.
fn angle<S: System<f64, Q = SVector<f64, 3>, V = SVector<f64, 3>>>(
    run: &Simulation<S, Rk4<f64>>,
) -> f64 {
    let q = run.state().q;
    q.x.hypot(q.y).atan2(-q.z)
}

#[test]
fn the_bead_rests_where_the_textbook_says() {
    let mut run = bead(rest());
    run.run_until(2.0).unwrap();
    assert_absolute(angle(&run), rest(), 1e-9);
}

#[test]
fn the_bead_oscillates_about_its_rest() {
    let (small, frequency) = (1e-4, OMEGA * rest().sin());
    let mut run = bead(rest() + small);
    for t in [0.1, 0.25, 0.4, 1.0] {
        run.run_until(t).unwrap();
        // The next order of the oscillation is of size small².
        let expected = rest() + small * (frequency * t).cos();
        assert_absolute(angle(&run), expected, 10.0 * small * small);
    }
}
