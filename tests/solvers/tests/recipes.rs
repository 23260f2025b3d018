//! Solvers of other crates move generated systems, by `rhs`: the swing of a pendulum, and where it is known.

use constraint_runtime::prelude::*;

system! {
    /// One rod.
    struct Pendulum { l: Real = 1, g: Real = 9.81 }
    particle bob: Point2 { mass: 1 }
    constraint rod: norm(bob) == l;
    gravity [0, -g];
}

/// A quarter of the period from the level to the lowest point, K(½)/√9.81.
fn quarter() -> f64 {
    1.854_074_677_301_372 / 9.81_f64.sqrt()
}

/// The state there, by v²/2 = g l.
fn expected() -> [f64; 4] {
    [0.0, -1.0, -(2.0 * 9.81_f64).sqrt(), 0.0]
}

const LEVEL: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

/// q̇ and v̇; these crates' functions cannot fail: what fails is no number, and its step is refused.
fn rhs(t: f64, y: &[f64], dy: &mut [f64]) {
    let moved = Pendulum::default().rhs(t, y, dy);
    moved.unwrap_or_else(|_| dy.fill(f64::NAN));
}

fn compared(end: &[f64]) {
    for (found, expected) in end.iter().zip(expected()) {
        assert!((found - expected).abs() < 1e-8, "{end:?}");
    }
}

#[test]
fn ode_solvers() {
    use ode_solvers::dop_shared::OutputType;
    use ode_solvers::dop853::Dop853;
    use ode_solvers::{System, Vector4};

    struct Packed;

    impl System<f64, Vector4<f64>> for Packed {
        fn system(&self, t: f64, y: &Vector4<f64>, dy: &mut Vector4<f64>) {
            rhs(t, y.as_slice(), dy.as_mut_slice());
        }
    }

    // The end of each step, the last at the end asked for; evenly spaced output stops before it.
    let (start, end, output) = (Vector4::from(LEVEL), quarter(), OutputType::Sparse);
    let mut solver = Dop853::from_param(
        Packed, 0.0, end, end, start, 1e-12, 1e-12, 0.9, 0.0, 0.333, 6.0, end, 0.0, 100_000, 1000,
        output,
    );
    solver.integrate().expect("it swings");
    compared(solver.y_out().last().expect("an end").as_slice());
}

#[test]
fn diffsol() {
    use diffsol::{NalgebraMat, OdeBuilder, OdeSolverMethod};

    let problem = OdeBuilder::<NalgebraMat<f64>>::new()
        .rtol(1e-11)
        .atol([1e-11])
        .rhs(|y, _, t, dy| {
            let mut rates = [0.0; 4];
            rhs(t, &[0, 1, 2, 3].map(|i| y[i]), &mut rates);
            (0..4).for_each(|i| dy[i] = rates[i]);
        })
        .init(|_, _, y| (0..4).for_each(|i| y[i] = LEVEL[i]), 4)
        .build()
        .expect("a problem");
    let mut solver = problem.tsit45().expect("a solver");
    solver.solve(quarter()).expect("it swings");
    let state = solver.state();
    compared(&[0, 1, 2, 3].map(|i| state.y[i]));
}
