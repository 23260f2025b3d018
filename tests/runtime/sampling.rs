//! Samples of a run at evenly spaced times.

use constraint_runtime::Integrator;
use constraint_runtime::prelude::*;

system! {
    /// x″ = −x
    struct Oscillator { k: Real = 1 }
    coordinate x;
    particle p = [x, 0] { mass: 1 }
    potential k/2 * x^2;
}

system! {
    /// One rod.
    struct Pendulum { l: Real = 1, g: Real = 9.81 }
    particle bob: Point2 { mass: 1 }
    constraint rod: norm(bob) == l;
    gravity [0, -g];
}

fn oscillator<I: Integrator<Scalar = f64>>(method: I) -> Simulation<Oscillator, I> {
    let start = State::new(0.0, [1.0], [0.0]);
    Simulation::new(Oscillator::default(), start, method).expect("a good start")
}

/// Largest error of samples against cos t, and how many there are.
fn sampled<I: Integrator<Scalar = f64>>(method: I) -> (f64, usize) {
    let mut run = oscillator(method);
    let (mut worst, mut count) = (0.0_f64, 0);
    for (i, sample) in run.sample(0.5..=10.0, 0.01).enumerate() {
        let sample = sample.expect("it moves");
        let t = if i == 950 {
            10.0
        } else {
            0.5 + i as f64 * 0.01
        };
        assert_eq!(sample.t, t);
        worst = worst.max((sample.coordinates.x - t.cos()).abs());
        worst = worst.max((sample.velocities.x + t.sin()).abs());
        count += 1;
    }
    assert_eq!(run.state().t, 10.0);
    (worst, count)
}

#[test]
fn samples_are_those_of_the_motion() {
    for (worst, count) in [
        // Steps that divide the interval, and some that do not.
        sampled(Rk4::new(1e-3)),
        sampled(Rk4::new(7e-3)),
        sampled(DormandPrince::new(1e-11, 1e-11)),
    ] {
        assert_eq!(count, 951);
        assert!(worst < 2e-9, "{worst:e}");
    }
}

#[test]
fn interpolated_samples_are_on_the_constraints_and_cost_no_steps() {
    let start = State::new(0.0, [1.0, 0.0], [0.0, 0.0]);
    let method = DormandPrince::new(1e-6_f64, 1e-6);
    let mut run = Simulation::new(Pendulum::default(), start, method).expect("a good start");
    let mut apart = run.clone();
    for sample in run.sample(0.0..=5.0, 1e-3) {
        let sample = sample.expect("it swings");
        assert!((sample.coordinates.bob.coords.norm() - 1.0).abs() < 1e-15);
        let along = sample.coordinates.bob.coords.dot(&sample.velocities.bob);
        assert!(along.abs() < 1e-14);
    }
    // Nothing of the motion has changed by being looked at.
    apart.run_until(5.0).expect("it swings");
    assert_eq!(run.state(), apart.state());
}

#[test]
fn the_end_is_a_sample_where_the_interval_leads_there() {
    let times = |end: f64, interval: f64| -> Vec<f64> {
        let mut run = oscillator(Rk4::new(0.05));
        let samples = run.sample(0.0..=end, interval);
        samples.map(|sample| sample.expect("it moves").t).collect()
    };
    // 3 · 0.1 exceeds 0.3 by rounding.
    assert_eq!(times(0.3, 0.1), [0.0, 0.1, 0.2, 0.3]);
    assert_eq!(times(0.35, 0.1), [0.0, 0.1, 0.2, 3.0 * 0.1]);
    assert_eq!(times(0.0, 0.1), [0.0]);
}

fn times_until_it_falls<I: Integrator<Scalar = f64>>(method: I) -> Vec<f64> {
    let mut run = oscillator(method).until(Crossing::Falling, |state| state.q[0]);
    let samples = run.sample(0.0..=10.0, 0.5);
    samples.map(|sample| sample.expect("it moves").t).collect()
}

#[test]
fn an_event_that_stops_the_run_ends_the_samples() {
    // cos t is zero at π/2.
    let times = [0.0, 0.5, 1.0, 1.5];
    assert_eq!(times_until_it_falls(Rk4::new(0.01)), times);
    assert_eq!(times_until_it_falls(DormandPrince::new(1e-9, 1e-9)), times);
}

#[test]
fn what_cannot_be_sampled_is_one_error() {
    let errors = |times, interval| -> Vec<Error> {
        let mut run = oscillator(Rk4::new(0.01));
        run.run_until(1.0).expect("it moves");
        let samples = run.sample(times, interval);
        samples.map(|sample| sample.unwrap_err()).collect()
    };
    let nan = f64::NAN;
    assert!(matches!(
        errors(1.0..=2.0, 0.0)[..],
        [Error::InvalidStepSize { .. }]
    ));
    assert!(matches!(
        errors(1.0..=2.0, nan)[..],
        [Error::InvalidStepSize { .. }]
    ));
    assert!(matches!(
        errors(0.5..=2.0, 0.1)[..],
        [Error::InvalidTime { .. }]
    ));
    assert!(matches!(
        errors(1.0..=f64::INFINITY, 0.1)[..],
        [Error::InvalidTime { .. }]
    ));
    let reversed = errors(1.0..=0.5, 0.1);
    assert!(matches!(reversed[..], [Error::InvalidTime { .. }]));
    let ahead = errors(3.0..=2.0, 0.1);
    assert!(matches!(ahead[..], [Error::InvalidTime { .. }]));
}

#[test]
fn an_error_on_the_way_is_the_last_item() {
    system! {
        struct Pushed { limit: Real = 0.25 }
        coordinate x;
        particle p = [x, 0] { mass: 1 }
        force x: sqrt(limit - t);
    }
    let start = State::new(0.0, [0.0], [0.0]);
    let mut run = Simulation::new(Pushed::default(), start, Rk4::new(0.01)).expect("a good start");
    let samples: Vec<_> = run.sample(0.0..=1.0, 0.1).collect();
    assert_eq!(samples.len(), 4);
    assert!(samples[..3].iter().all(Result::is_ok));
    let place = "limit − t > 0 does not hold in the forces";
    assert!(
        matches!(samples[3], Err(Error::Corner { place: it, time: Some(t) }) if it == place && (t - 0.25).abs() < 0.011)
    );
}
