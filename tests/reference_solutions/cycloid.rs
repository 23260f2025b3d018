//! Huygens' tautochrone: on a cycloid every bead reaches the bottom after π √(r/g), from wherever it starts.
//!
//! Its distance from the bottom along the track is that of a harmonic oscillation, 4 r cos(s/2) with
//! ω² = g/(4 r). Source: [Huygens 1673] *Horologium oscillatorium*, part II, proposition XXV.

use constraint_runtime::prelude::*;

use crate::{G, assert_absolute};

curve! {
    /// One arch, from cusp to cusp, hanging down.
    struct Cycloid { r: Real }
    |s in 0..=TAU| [r*(s - sin(s)), r*(cos(s) - 1)]
}

#[test]
fn a_bead_on_a_cycloid_oscillates_harmonically() {
    let r: f64 = 0.6;
    let omega = (G / (4.0 * r)).sqrt();
    for start in [0.4_f64, 1.5, 2.9] {
        let bead = Particle::new(1.1)
            .along(Cycloid { r })
            .under_gravity([0.0, -G]);
        let mut run =
            Simulation::new(bead, State::new(0.0, [start], [0.0]), Rk4::new(1e-3)).unwrap();
        for t in [0.3, std::f64::consts::FRAC_PI_2 / omega, 1.0] {
            run.run_until(t).unwrap();
            let distance = (run.state().q[0] / 2.0).cos();
            let expected = (start / 2.0).cos() * (omega * t).cos();
            assert_absolute(distance, expected, 1e-9);
        }
    }
}
