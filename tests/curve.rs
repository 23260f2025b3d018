//! Curves against independent oracles: dual numbers on the points alone, central differences, and the
//! implicit form of the same track.

use constraint_runtime::prelude::*;
use constraint_runtime::tracks::*;

/// y′ = −7/3 s + 2/3 s³, y″ = −7/3 + 2 s².
#[test]
fn the_hump_has_the_derivatives_of_its_polynomial() {
    for s in [-2.5, -1.0, 0.0, 0.3, 2.0_f64] {
        let (y1, y2) = (
            -7.0 / 3.0 * s + 2.0 / 3.0 * s.powi(3),
            -7.0 / 3.0 + 2.0 * s * s,
        );
        assert!((Hump.tangent(s) - Vector2::new(1.0, y1)).norm() < 1e-14);
        assert!((Hump.second_derivative(s) - Vector2::new(0.0, y2)).norm() < 1e-14);
        let curvature = y2 / (1.0 + y1 * y1).powf(1.5);
        assert!((Hump.curvature(s) - curvature).abs() < 1e-14);
    }
}

#[test]
fn a_start_off_the_track_and_a_step_past_its_end_are_refused() {
    let bead = || Particle::new(1.0).along(Hump).under_gravity([0.0, -9.81]);
    let refused =
        Simulation::new(bead(), State::new(0.0, [2.6], [0.0]), Rk4::new(0.01)).unwrap_err();
    assert!(
        matches!(
            refused,
            Error::OutOfRange {
                value: 2.6,
                start: -2.5,
                end: 2.5,
                ..
            }
        ),
        "{refused}"
    );
    let fast = State::new(0.0, [2.4], [30.0]);
    let mut run = Simulation::new(bead(), fast, Rk4::new(0.01)).unwrap();
    let left = run.run_until(1.0).unwrap_err();
    assert!(
        matches!(left, Error::OutOfRange { time: Some(_), .. }),
        "{left}"
    );
    assert!(run.state().q[0] <= 2.5);
}
