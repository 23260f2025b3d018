//! Runs that reach a corner between their start and their end: the error names the expression and the time.

use constraint_runtime::prelude::*;

constraint! {
    /// A wire that ends at x = 0: no real power is beyond.
    struct Ending;
    |x, y| y == powf(x, 2.5)
}

curve! {
    /// The same wire by its parameter.
    struct Track;
    |s in -1..=2| [s, powf(s, 2.5)]
}

/// The length of the wire from x = 0 to x = 1 by Simpson's rule: the integral of √(1 + 25/4 x³).
fn length() -> f64 {
    let speed = |x: f64| (1.0 + 6.25 * x.powi(3)).sqrt();
    let parts = 1000;
    let width = 1.0 / f64::from(parts);
    let part = |k: i32| {
        let x = f64::from(k) * width;
        (speed(x) + 4.0 * speed(x + width / 2.0) + speed(x + width)) * width / 6.0
    };
    (0..parts).map(part).sum()
}

/// Asserts that a run whose speed is 1 ends with the step that would pass x = 0, by the name of what vanishes there.
#[track_caller]
fn ends_at_the_corner(error: &Error, last: f64, step: f64, text: &str) {
    let Error::Corner { place, time } = error else {
        panic!("{error}");
    };
    assert_eq!(*place, text);
    let time = time.expect("the time of a run");
    assert!(
        (length() - step..=length() + step).contains(&time),
        "{time}"
    );
    assert!((last..=last + step).contains(&time), "{last} {time}");
}

#[test]
fn a_particle_names_the_end_of_its_constraint() -> Result<(), Error> {
    let step = 1e-2;
    let along = [-1.0, -2.5].map(|x| x / 7.25_f64.sqrt());
    let start = State::new(0.0, [1.0, 1.0], along);
    let mut run = Simulation::new(Particle::new(2.0).on(Ending), start, Rk4::new(step))?;
    let error = run.run_until(10.0).unwrap_err();
    assert!(run.state().q.iter().all(|x| x.is_finite()));
    ends_at_the_corner(
        &error,
        run.state().t,
        step,
        "x > 0 does not hold in the constraint",
    );
    Ok(())
}

#[test]
fn a_bead_names_the_end_of_its_curve() -> Result<(), Error> {
    let step = 1e-2;
    let start = State::new(0.0, [1.0], [-1.0 / 7.25_f64.sqrt()]);
    let bead = Particle::new(2.0).along(Track);
    let mut run = Simulation::new(bead, start, Rk4::new(step))?;
    let error = run.run_until(10.0).unwrap_err();
    assert!(run.state().q[0].is_finite());
    ends_at_the_corner(
        &error,
        run.state().t,
        step,
        "s > 0 does not hold in the curve",
    );
    Ok(())
}
