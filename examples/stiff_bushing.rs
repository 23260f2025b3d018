//! A pendulum whose pin sits in a rubber bushing of 10⁸ N/m: by explicit steps, by Radau's method, by generalised α.
//!
//! The pin moves by a ten-millionth of a metre, ten thousand times as fast as the pendulum swings. Explicit steps must
//! resolve that motion even after it has died out; implicit steps follow the swing. The rod turns, and with it the
//! mass that the bushing feels, so `Radau5` rotates its matrices from stage to stage.
//!
//! Checks: after each of ten seconds all methods agree with explicit steps at the tolerance 10⁻¹², which use no
//! derivatives; the rod keeps its length to rounding; the error of `Radau5` stays below 10⁻⁸ in less than two hundred
//! steps; generalised α has order 2.
//! Lengths are in metres, times in seconds, masses in kilograms.

use std::error::Error;
use std::time::{Duration, Instant};

use constraint_runtime::prelude::*;

system! {
    /// A bob on a rod, the rod's upper end in a bushing; the joint has friction, and the bushing damps.
    #[derivatives]
    pub struct Hung {
        m_pin: Real = 1, m: Real = 1, l: Real = 1, k: Real = 1e8, c: Real = 1e4, friction: Real = 3, g: Real = 9.81,
    }

    particle pin: Point2 { mass: m_pin }
    particle bob: Point2 { mass: m }
    constraint rod: norm(bob - pin) == l;

    gravity [0, -g];
    potential k/2*dot(pin, pin);
    dissipation c/2*dot(velocity(pin), velocity(pin));
    dissipation friction/2*dot(velocity(bob) - velocity(pin), velocity(bob) - velocity(pin));
}

type Motion = State<SVector<f64, 4>>;

const SECONDS: u32 = 10;

/// Prints the comparisons.
pub fn main() -> Result<(), Box<dyn Error>> {
    let place = HungCoordinates {
        pin: Point2::origin(),
        bob: Point2::new(0.6, -0.8),
    };
    let start = State::new(0.0, place, HungVelocities::default());
    let reference = explicit(start, 1e-12)?;
    println!("method            tolerance    steps      error  time");
    let followed = explicit(start, 1e-6)?;
    followed.report("Dormand–Prince", "1e-6", &reference);
    for tolerance in [1e-5, 1e-7, 1e-9] {
        let radau = radau(start, tolerance)?;
        radau.report("Radau5", &format!("{tolerance:e}"), &reference);
        // Tolerances are those of a step; errors add up.
        assert!(radau.error(&reference) < 20.0 * tolerance);
        assert!(radau.steps <= 200, "{} steps", radau.steps);
        assert!(100 * radau.steps < followed.steps);
    }
    let alpha = [1e-2, 1e-3].map(|h| generalised_alpha(start, h));
    let [coarse, fine] = alpha;
    let (coarse, fine) = (coarse?, fine?);
    coarse.report("generalised α", "h = 1e-2", &reference);
    fine.report("generalised α", "h = 1e-3", &reference);
    let ratio = coarse.error(&reference) / fine.error(&reference);
    assert!((ratio / 100.0 - 1.0).abs() < 0.1, "order 2: {ratio}");
    Ok(())
}

/// What a run took, and where it led.
struct Run {
    steps: usize,
    time: Duration,
    /// Where it has led after each second.
    seconds: Vec<SVector<f64, 4>>,
}

impl Run {
    /// The largest distance from the reference.
    fn error(&self, reference: &Self) -> f64 {
        let pairs = self.seconds.iter().zip(&reference.seconds);
        pairs.fold(0.0, |most, (q, exact)| (q - exact).norm().max(most))
    }

    fn report(&self, method: &str, tolerance: &str, reference: &Self) {
        let Self { steps, time, .. } = self;
        let error = self.error(reference);
        println!("{method:<18}{tolerance:>9}{steps:>9}{error:>11.1e}  {time:.1?}");
    }
}

fn explicit(start: Motion, tolerance: f64) -> Result<Run, Box<dyn Error>> {
    run(start, DormandPrince::new(tolerance, tolerance))
}

fn radau(start: Motion, tolerance: f64) -> Result<Run, Box<dyn Error>> {
    run(start, Radau5::new(tolerance, tolerance))
}

fn generalised_alpha(start: Motion, h: f64) -> Result<Run, Box<dyn Error>> {
    run(start, GeneralizedAlpha::new(h, 0.8))
}

fn run(start: Motion, method: impl Integrator<Scalar = f64>) -> Result<Run, Box<dyn Error>> {
    let clock = Instant::now();
    let mut run = Simulation::new(Hung::default(), start, method)?;
    let (mut steps, mut seconds) = (0, Vec::new());
    for second in 1..=SECONDS {
        run.run_until_with(f64::from(second), |_| steps += 1)?;
        assert!(run.drift() < 1e-14, "the rod is off by {:e}", run.drift());
        seconds.push(run.state().q);
    }
    Ok(Run {
        steps,
        time: clock.elapsed(),
        seconds,
    })
}
