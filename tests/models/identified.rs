//! What a measurement tells of a model: its parameters, by least squares over whole runs.

use approx::assert_relative_eq;
use constraint_runtime::nalgebra::{DMatrix, DVector};
use constraint_runtime::prelude::*;

system! {
    /// A pendulum with friction in its pin and air around it, watched by an encoder.
    #[derivatives]
    pub struct Pendulum { i: Real = 0.02, weight: Real = 1, pin: Real = 0.01, air: Real = 0.01 }

    coordinate angle;
    kinetic i/2*velocity(angle)^2;
    potential -weight*cos(angle);
    force angle: -pin*velocity(angle) - air*velocity(angle)*abs(velocity(angle));
}

const TRUE: [f64; 3] = [0.9, 0.004, 0.0015];

fn pendulum([weight, pin, air]: [f64; 3]) -> Pendulum {
    Pendulum {
        i: 0.02,
        weight,
        pin,
        air,
    }
}

/// What the encoder reads, and by row how it varies with the parameters.
fn watched(parameters: [f64; 3], times: &[f64]) -> Result<(DVector<f64>, DMatrix<f64>), Error> {
    let start = State::new(0.0, [1.2], [0.0]);
    let mut angles = DVector::zeros(times.len());
    let mut slopes = DMatrix::zeros(times.len(), 3);
    for (k, &time) in times.iter().enumerate() {
        let mut run = Simulation::new(pendulum(parameters), start, Rk4::new(0.01))?;
        let told = run.gradient(&[time], |_, state, slopes| {
            slopes.q[0] = 1.0;
            state.q[0]
        })?;
        angles[k] = told.loss;
        (0..3).for_each(|i| slopes[(k, i)] = told.by.p[i + 1]);
    }
    Ok((angles, slopes))
}

/// By Gauss and Newton; of a run without noise all three come back, to the error of the iteration.
#[test]
fn friction_is_read_off_a_swing() -> Result<(), Error> {
    let times: Vec<f64> = (1..=20).map(|k| 0.2 * f64::from(k)).collect();
    let (seen, _) = watched(TRUE, &times)?;
    let mut guess = [1.0, 0.01, 0.0];
    for _ in 0..8 {
        let (angles, slopes) = watched(guess, &times)?;
        let step = (slopes.transpose() * &slopes)
            .cholesky()
            .expect("all three count");
        let step = step.solve(&(slopes.transpose() * (&seen - angles)));
        (0..3).for_each(|i| guess[i] += step[i]);
    }
    for (found, expected) in guess.into_iter().zip(TRUE) {
        assert_relative_eq!(found, expected, max_relative = 1e-8);
    }
    Ok(())
}
