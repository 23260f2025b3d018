//! Ten thousand pendulums: as so many runs, and as one system.

use approx::assert_abs_diff_eq;
use constraint_runtime::prelude::*;

system! {
    /// One of them, by its angle.
    pub struct Pendulum { l: Real = 1, g: Real = 9.81 }
    coordinate angle;
    particle bob = l*[sin(angle), -cos(angle)] { mass: 1 }
    gravity [0, -g];
    output tension = norm(acceleration(bob) + [0, g]);
}

/// The ends of a run of each are those of each alone.
#[test]
fn each_of_ten_thousand_swings_by_itself() -> Result<(), Error> {
    let start = |i: usize| State::new(0.0, [1e-4 * i as f64], [0.0]);
    let of = |i: usize| Pendulum {
        l: 0.5 + 1e-4 * i as f64,
        ..Default::default()
    };
    let ensemble = Ensemble::new(10_000, |i| Ok((of(i), start(i))));
    let ends = ensemble.run_until(0.2, Rk4::new(0.02))?;
    let angles = ends.column("angle").unwrap();
    for i in [0, 1, 4711, 9999] {
        let mut run = Simulation::new(of(i), start(i), Rk4::new(0.02))?;
        run.run_until(0.2)?;
        assert_abs_diff_eq!(angles[i], run.coordinates().angle, epsilon = 1e-13);
    }
    Ok(())
}
