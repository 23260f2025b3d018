//! Solvers of other crates move generated systems.

use constraint_runtime::prelude::*;
use differential_equations::ode::ODE;
use differential_equations::prelude::{ExplicitRungeKutta, IVP};

system! {
    /// One rod.
    struct Pendulum { l: Real = 1, g: Real = 9.81 }
    particle bob: Point2 { mass: 1 }
    constraint rod: norm(bob) == l;
    gravity [0, -g];
}

/// A system as the crate's equations.
struct Packed<S>(S);

impl<S: System<f64>> ODE<f64, [f64; 4]> for Packed<S> {
    fn diff(&self, t: f64, y: &[f64; 4], dy: &mut [f64; 4]) {
        // The crate's functions cannot fail: what fails is no number, and its step is refused.
        self.0.rhs(t, y, dy).unwrap_or_else(|_| dy.fill(f64::NAN));
    }
}

#[test]
fn a_solver_of_another_crate_finds_the_same_swing() {
    let pendulum = Packed(Pendulum::default());
    // A quarter of the period, K(½)/√9.81, from the level to the lowest point.
    let quarter = 1.854_074_677_301_372 / 9.81_f64.sqrt();
    let method = ExplicitRungeKutta::dop853().rtol(1e-12).atol(1e-12);
    let solution = IVP::ode(&pendulum, 0.0, quarter, [1.0, 0.0, 0.0, 0.0])
        .method(method)
        .solve()
        .expect("it swings");
    let end = solution.y.last().expect("an end");
    // v²/2 = g l there.
    let speed = (2.0 * 9.81_f64).sqrt();
    for (found, expected) in end.iter().zip([0.0, -1.0, -speed, 0.0]) {
        assert!((found - expected).abs() < 1e-9, "{end:?}");
    }
}

#[test]
#[should_panic(expected = "length")]
fn a_state_of_another_length_is_refused() {
    let _ = Pendulum::default().rhs(0.0, &[0.0; 5], &mut [0.0; 4]);
}
