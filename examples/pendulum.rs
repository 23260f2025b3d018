//! A bead on the unit circle: a pendulum in Cartesian coordinates, from C = ½ (p·p − 1).
//!
//! Checks: the multiplier agrees with the closed form λ = −(m v·v + p·f)/(p·p), the force of the circle does no work,
//! and the period of swings up to 179° agrees with the elliptic integral.
//! Lengths are in metres, times in seconds, masses in kilograms; y counts upwards.

use std::error::Error;
use std::f64::consts::TAU;

use constraint_runtime::prelude::*;

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, color, evenly};

constraint! {
    /// A bead on the circle of radius 1 about the origin.
    pub struct Circle;
    |p: Point2| (norm_squared(p) - 1)/2
}

const MASS: f64 = 0.5;
const GRAVITY: f64 = 9.81;
const STEP: f64 = 1e-3;

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    println!("Derived from (p·p − 1)/2 = 0 when this program was compiled\n");
    println!("{}\n", Circle::DERIVATION);
    compare_multipliers()?;
    let swings = [5.0, 45.0, 90.0, 135.0, 170.0, 179.0].map(Swing::new);
    let swings = swings.into_iter().collect::<Result<Vec<_>, _>>()?;
    compare_periods(&swings);
    let path = plot::write_svg("pendulum", figure(&swings))?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

/// λ and f̂·v at states all around the circle, under forces from every side.
fn compare_multipliers() -> Result<(), Box<dyn Error>> {
    let (mut largest_difference, mut largest_power): (f64, f64) = (0.0, 0.0);
    let states = 24 * 24;
    for i in 0..states {
        let (place, push) = (
            TAU * f64::from(i / 24) / 24.0,
            TAU * f64::from(i % 24) / 24.0,
        );
        let p = Vector2::new(place.cos(), place.sin());
        let v = 3.0 * Vector2::new(-p.y, p.x);
        let f = 20.0 * Vector2::new(push.cos(), push.sin());

        let w = Vector2::repeat(1.0 / MASS);
        let lambda = Circle.multipliers(0.0, &p, &v, &w, &f)?[0];
        let by_hand = -(MASS * v.dot(&v) + p.dot(&f)) / p.dot(&p);
        largest_difference = largest_difference.max((lambda - by_hand).abs());

        let power = Circle.particle_force(0.0, &p, &v, MASS, &f)?.dot(&v);
        largest_power = largest_power.max(power.abs());
    }
    assert!(
        largest_difference < 1e-13,
        "λ differs from the closed form by {largest_difference:e} N/m"
    );
    assert!(
        largest_power < 1e-13,
        "the circle delivers {largest_power:e} W"
    );
    println!("At {states} states the circle delivers less than 1e-13 W, and λ agrees");
    println!("with −(m v·v + p·f)/(p·p) within 1e-13 N/m.\n");
    Ok(())
}

/// What ten swings from rest have shown.
struct Swing {
    /// Angle of release from the lowest point, in degrees.
    degrees: f64,
    /// Time there and back, in s.
    period: f64,
    /// Tension m |f̂| when the bead passes the lowest point, in N.
    tension: f64,
    /// Largest distance from the circle, in m.
    drift: f64,
    /// Time and angle from the lowest point, in degrees, for the first seconds.
    angles: Vec<(f64, f64)>,
}

impl Swing {
    /// Releases the bead from rest and watches it pass the lowest point eleven times to the right.
    fn new(degrees: f64) -> Result<Self, constraint_runtime::Error> {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let pendulum = Particle::new(MASS)
            .on(Circle)
            .under_gravity([0.0, -GRAVITY]);
        let start = State::new(0.0, [-sin, -cos], [0.0, 0.0]);
        let mut run = Simulation::new(pendulum, start, Rk4::new(STEP))?;

        let (mut passes, mut tension, mut drift) = (Vec::new(), 0.0, 0.0_f64);
        let mut angles = vec![(0.0, -degrees)];
        while passes.len() < 11 {
            let before = run.coordinates();
            run.step()?;
            let State { t, q, v } = *run.state();
            drift = drift.max(run.drift());
            angles.push((t, q.x.atan2(-q.y).to_degrees()));
            if before.x < 0.0 && q.x >= 0.0 && q.y < 0.0 {
                // There ẍ vanishes, so that one Newton step is exact to third order.
                passes.push(t - q.x / v.x);
                tension = run.multipliers()?[0].abs();
            }
        }
        Ok(Self {
            degrees,
            period: (passes[10] - passes[0]) / 10.0,
            tension,
            drift,
            angles,
        })
    }

    /// T = 2π √(l/g) / agm(1, cos(θ₀/2)): Gauss's form of the complete elliptic integral.
    fn exact_period(&self) -> f64 {
        exact_period(self.degrees)
    }
}

fn exact_period(degrees: f64) -> f64 {
    let (mut a, mut b) = (1.0, (degrees.to_radians() / 2.0).cos());
    while a - b > 1e-15 {
        (a, b) = ((a + b) / 2.0, f64::sqrt(a * b));
    }
    TAU / f64::sqrt(GRAVITY) / a
}

fn compare_periods(swings: &[Swing]) {
    println!("Ten swings from rest, RK4 with steps of {STEP} s, projected\n");
    println!(
        "release   period/s    by the elliptic   relative   tension at the   m g (3 − 2 cos θ₀)   largest"
    );
    println!(
        "                      integral/s        error      lowest point/N   /N                   |C|/m²"
    );
    for swing in swings {
        let exact = swing.exact_period();
        let error = swing.period / exact - 1.0;
        let tension = MASS * GRAVITY * (3.0 - 2.0 * swing.degrees.to_radians().cos());
        println!(
            "{:>4}°  {:>12.9}  {:>14.9}    {:>8.1e}   {:>12.6}   {:>15.6}     {:>11.0e}",
            swing.degrees, swing.period, exact, error, swing.tension, tension, swing.drift
        );
        assert!(
            error.abs() < 1e-7,
            "released at {}°: period off by {error:e}",
            swing.degrees
        );
        assert!(
            (swing.tension / tension - 1.0).abs() < 1e-4,
            "released at {}°: tension {} N",
            swing.degrees,
            swing.tension
        );
        assert!(
            swing.drift < 1e-14,
            "released at {}°: |C| = {:e} m²",
            swing.degrees,
            swing.drift
        );
    }
}

fn figure(swings: &[Swing]) -> [(u32, Vec<Panel>); 2] {
    let shown = [
        (1, "45°", color::BLUE),
        (3, "135°", color::GREEN),
        (5, "179°", color::VERMILION),
    ];
    let circle = (0..=100).map(|i| (TAU * f64::from(i) / 100.0).sin_cos());
    let mut beads =
        Panel::drawing("Swings from rest", SHOWN).with(Line::curve("", color::GREY, 2.0, circle));
    let mut angles = Panel::over_time("Angle", "angle in degrees", SHOWN).share(1.4);
    for (i, label, color) in shown {
        let until = (SHOWN / STEP) as usize;
        let passed = &swings[i].angles[..until];
        let frames = || evenly(passed, 200).map(|(_, angle)| angle.to_radians().sin_cos());
        let rods = frames().map(|(sin, cos)| vec![(0.0, 0.0), (sin, -cos)]);
        let bead = frames().map(|(sin, cos)| vec![(sin, -cos)]);
        beads = beads
            .with(Line::bars(color, 1.5, rods))
            .with(Line::dots(color, 14.0, bead));
        angles = angles.with(Line::curve(label, color, 1.5, passed.iter().copied()));
    }
    let ratio = TAU / f64::sqrt(GRAVITY);
    let curve = (0..=358)
        .map(|i| f64::from(i) / 2.0)
        .map(|degrees| (degrees, exact_period(degrees) / ratio));
    let measured = swings.iter().map(|it| (it.degrees, it.period / ratio));
    let period = Panel::new(
        "Period of large swings",
        "released at an angle in degrees",
        "period / (2π √(l/g))",
    )
    .y(0.0, 4.2)
    .with(Line::curve("elliptic integral", color::ORANGE, 2.0, curve))
    .with(Line::dots(color::BLUE, 8.0, [measured.collect()]).labelled("simulated"));
    [(300, vec![beads, angles]), (260, vec![period])]
}

/// How much of the swings is shown, in real time.
const SHOWN: f64 = 8.0;
