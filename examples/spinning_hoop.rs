//! A bead on a vertical hoop that turns about its vertical diameter: a constraint that depends on time.
//!
//! Two rows hold the bead, on a sphere and in the turning plane. The hoop pushes sideways, so its force does work and
//! the energy E is not conserved. The Jacobi integral E − ω L is, with the angular momentum L about the axis.
//!
//! Everything is compared with the equation of the one remaining coordinate, the angle θ from the lowest point: θ̈ =
//! sin θ (ω² cos θ − g/r).
//! Lengths are in metres, times in seconds, masses in kilograms; z counts upwards.

use std::error::Error;
use std::f64::consts::TAU;

use constraint_runtime::prelude::*;

#[path = "common/one_coordinate.rs"]
mod one_coordinate;
#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use one_coordinate::OneCoordinate;
use plot::{Color, Line, Panel, Points, View, color, evenly};

constraint! {
    /// A bead on a vertical hoop of radius `r` that turns with angular speed `omega`.
    pub struct SpinningHoop {
        /// Radius in m.
        pub r: Real,
        /// Angular speed in 1/s.
        pub omega: Real,
    }
    |p: Point3, t: Time| [norm_squared(p) - r^2, p.x*sin(omega*t) - p.y*cos(omega*t)]
}

const MASS: f64 = 0.2;
const GRAVITY: f64 = 9.81;
const RADIUS: f64 = 0.5;
const STEP: f64 = 1e-3;

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    println!("Derived from the sphere and the turning plane when this program was compiled\n");
    let derivation = SpinningHoop::<f64>::DERIVATION;
    let text = |name| derivation.entry(name).text;
    println!(
        "C =\n{}\n\nJ =\n{}\n\nβ =\n{}\n",
        text("value"),
        text("jacobian"),
        text("bias")
    );
    println!(
        "f̂ of one particle: {}\n",
        derivation.entry("particle_force").cost
    );

    compare_equilibria()?;
    let [slow, fast] = [3.0, 8.0].map(|omega| Run::new(omega, 60_f64.to_radians(), 10.0));
    let runs = [slow?, fast?];
    compare_runs(&runs);
    let path = plot::write_svg("spinning_hoop", figure(&runs))?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

/// The bead on the hoop, as the runtime sees it.
fn bead(
    omega: f64,
) -> impl System<f64, Q = SVector<f64, 3>, V = SVector<f64, 3>, Coordinates = Vector3<f64>> {
    Particle::new(MASS)
        .on(SpinningHoop { r: RADIUS, omega })
        .under_gravity([0.0, 0.0, -GRAVITY])
}

/// At rest on the hoop at the angle θ, at time 0.
fn at_rest(omega: f64, theta: f64) -> State<SVector<f64, 3>> {
    let (sin, cos) = theta.sin_cos();
    let along_the_turn = [0.0, omega * RADIUS * sin, 0.0];
    State::new(0.0, [RADIUS * sin, 0.0, -RADIUS * cos], along_the_turn)
}

/// θ of a state.
fn angle(omega: f64, state: &State<SVector<f64, 3>>) -> f64 {
    let (sin, cos) = (omega * state.t).sin_cos();
    (state.q.x * cos + state.q.y * sin).atan2(-state.q.z)
}

/// The reduced equation; its energy is the Jacobi integral.
fn reduced(omega: f64) -> impl System<f64, Q = SVector<f64, 1>, V = SVector<f64, 1>> {
    OneCoordinate {
        acceleration: move |theta: f64, _| {
            theta.sin() * (omega * omega * theta.cos() - GRAVITY / RADIUS)
        },
        kinetic_energy: |_, theta_dot: f64| 0.5 * MASS * (RADIUS * theta_dot).powi(2),
        potential_energy: move |theta: f64| {
            let centrifugal = 0.5 * MASS * (omega * RADIUS * theta.sin()).powi(2);
            -MASS * GRAVITY * RADIUS * theta.cos() - centrifugal
        },
    }
}

/// Angle of stable equilibrium: cos θ = g/(ω² r) where there is one, otherwise the lowest point.
fn equilibrium(omega: f64) -> f64 {
    (GRAVITY / (omega * omega * RADIUS)).min(1.0).acos()
}

/// Angular frequency of small swings about it: the reduced equation, linearised.
fn frequency(omega: f64) -> f64 {
    match equilibrium(omega) {
        0.0 => (GRAVITY / RADIUS - omega * omega).sqrt(),
        theta => omega * theta.sin(),
    }
}

/// Rest stays rest, and small swings take the time they should.
fn compare_equilibria() -> Result<(), Box<dyn Error>> {
    let critical = (GRAVITY / RADIUS).sqrt();
    println!("r = {RADIUS} m; the lowest point is stable below ω = √(g/r) = {critical:.4}/s\n");
    println!(
        "ω·s    equilibrium/°   moved in 5 s/°   period of small     2π/Ω, from the    relative"
    );
    println!(
        "       cos θ = g/ω²r                    swings/s            linear equation   difference"
    );
    for omega in [3.0, 6.0, 8.0, 12.0] {
        let theta = equilibrium(omega);
        let mut run = Simulation::new(bead(omega), at_rest(omega, theta), Rk4::new(STEP))?;
        run.run_until(5.0)?;
        let moved = (angle(omega, run.state()) - theta).to_degrees();
        let (period, linear) = (small_period(omega)?, TAU / frequency(omega));
        let difference = period / linear - 1.0;
        println!(
            "{omega:>3}  {:>14.6}   {:>12.0e}   {period:>16.7}   {linear:>16.7}   {difference:>12.0e}",
            theta.to_degrees(),
            moved.abs()
        );
        assert!(
            moved.abs() < 1e-7,
            "ω = {omega}: the bead left its equilibrium by {moved:e}°"
        );
        assert!(
            difference.abs() < 1e-5,
            "ω = {omega}: the period differs by {difference:e}"
        );
    }
    println!();
    Ok(())
}

/// Mean period of five swings, a twentieth of a degree from equilibrium.
fn small_period(omega: f64) -> Result<f64, constraint_runtime::Error> {
    let theta = equilibrium(omega);
    let start = at_rest(omega, theta - 0.05_f64.to_radians());
    let mut run = Simulation::new(bead(omega), start, Rk4::new(STEP))?;
    let mut passes = Vec::new();
    let mut before = angle(omega, run.state()) - theta;
    while passes.len() < 6 {
        run.step()?;
        let now = angle(omega, run.state()) - theta;
        if before < 0.0 && now >= 0.0 {
            passes.push(run.state().t - STEP * now / (now - before));
        }
        before = now;
    }
    Ok((passes[5] - passes[0]) / 5.0)
}

/// What is seen of a run at one time.
struct Sample {
    t: f64,
    /// θ of the bead on the hoop, in radians.
    theta: f64,
    /// θ of the reduced equation, in radians.
    reduced: f64,
    /// E, in J.
    energy: f64,
    /// E − ω L, in J.
    jacobi: f64,
    /// Work the hoop has done since the start, in J.
    work: f64,
}

/// A release from rest on the hoop, compared with the reduced equation.
struct Run {
    omega: f64,
    samples: Vec<Sample>,
    /// Largest |C| of both rows.
    drift: f64,
}

impl Run {
    fn new(omega: f64, theta: f64, end: f64) -> Result<Self, constraint_runtime::Error> {
        let mut full = Simulation::new(bead(omega), at_rest(omega, theta), Rk4::new(STEP))?;
        let start = State::new(0.0, [theta], [0.0]);
        let mut angle_alone = Simulation::new(reduced(omega), start, Rk4::new(STEP))?;
        let (mut samples, mut drift, mut work) = (Vec::new(), 0.0_f64, 0.0);
        // The power f̂·v = ω dL/dt, which vanishes where the bead rests on the hoop.
        let mut power = 0.0;
        while full.state().t < end {
            full.step()?;
            angle_alone.step()?;
            let State { t, q, v } = *full.state();
            drift = drift.max(full.drift());
            // By the trapezoidal rule.
            let power_now = full.system().constraint_force(t, &q, &v)?.dot(&v);
            work += 0.5 * STEP * (power + power_now);
            power = power_now;
            let momentum = MASS * (q.x * v.y - q.y * v.x);
            samples.push(Sample {
                t,
                theta: angle(omega, full.state()),
                reduced: angle_alone.state().q[0],
                energy: full.energy(),
                jacobi: full.energy() - omega * momentum,
                work,
            });
        }
        Ok(Self {
            omega,
            samples,
            drift,
        })
    }

    /// Largest minus smallest.
    fn range(&self, of: impl Fn(&Sample) -> f64) -> f64 {
        let all = || self.samples.iter().map(&of);
        all().fold(f64::NEG_INFINITY, f64::max) - all().fold(f64::INFINITY, f64::min)
    }
}

fn compare_runs(runs: &[Run]) {
    println!(
        "Released at rest on the hoop at θ = 60°, 10 s, RK4 with steps of {STEP} s, projected\n"
    );
    println!(
        "ω·s   largest      θ − θ of reduced   range of     range of        range of E −     "
    );
    println!("      drift        equation, ≤ rad    energy/J     E − ω L/J       work of hoop/J");
    for run in runs {
        let differences = run.samples.iter().map(|s| (s.theta - s.reduced).abs());
        let difference = differences.fold(0.0, f64::max);
        let (energy, jacobi) = (run.range(|s| s.energy), run.range(|s| s.jacobi));
        let balance = run.range(|s| s.energy - s.work);
        println!(
            "{:>3}   {:>7.0e}   {difference:>14.1e}   {energy:>12.6}   {jacobi:>11.1e}   {balance:>14.1e}",
            run.omega, run.drift
        );
        assert!(run.drift < 1e-14, "drift {:e}", run.drift);
        assert!(
            difference < 1e-7,
            "the reduced equation differs by {difference:e} rad"
        );
        assert!(energy > 0.1, "the hoop has done no work");
        assert!(jacobi < 1e-8, "the Jacobi integral varies by {jacobi:e} J");
        assert!(
            balance < 1e-5,
            "energy and work of the hoop differ by {balance:e} J"
        );
    }
}

/// How much of the runs is shown, in real time.
const SHOWN: f64 = 5.0;

fn figure(runs: &[Run; 2]) -> [(u32, Vec<Panel>); 3] {
    let titles = [
        "ω = 3/s: about the lowest point",
        "ω = 8/s: about cos θ = g/(ω² r)",
    ];
    let hoops = runs.iter().zip(titles).map(|(run, title)| {
        let frames: Vec<&Sample> = evenly(run.shown(), 150).collect();
        let hoop = frames.iter().map(|s| seen_hoop(run.omega * s.t));
        let bead = frames.iter().map(|s| seen(s.theta, run.omega * s.t));
        Panel::in_space(title, SHOWN)
            .with(Line::curve("", color::GREY, 1.5, [(0.0, -0.6), (0.0, 0.6)]))
            .with(Line::bars(color::BLACK, 2.0, hoop))
            .with(Line::trail(color::BLUE, 1.0, bead.clone()))
            .with(Line::dots(color::BLUE, 12.0, bead.map(|it| vec![it])))
    });
    let angles = runs.iter().map(|run| {
        Panel::over_time("Angle from the lowest point", "θ in degrees", SHOWN)
            .with(run.line("reduced equation", color::ORANGE, 4.0, |s| {
                s.reduced.to_degrees()
            }))
            .with(run.line("two rows", color::BLUE, 1.5, |s| s.theta.to_degrees()))
    });
    let energies = runs.iter().map(|run| {
        Panel::over_time("Energy and Jacobi integral", "energy in J", SHOWN)
            .with(run.line("E", color::VERMILION, 1.5, |s| s.energy))
            .with(run.line("E − ω L", color::GREEN, 1.5, |s| s.jacobi))
    });
    [
        (280, hoops.collect()),
        (230, angles.collect()),
        (230, energies.collect()),
    ]
}

impl Run {
    fn shown(&self) -> &[Sample] {
        &self.samples[..(SHOWN / STEP) as usize]
    }

    fn line(&self, label: &str, color: Color, width: f64, of: fn(&Sample) -> f64) -> Line {
        Line::curve(
            label,
            color,
            width,
            self.shown().iter().map(|s| (s.t, of(s))),
        )
    }
}

/// The place at the angle θ on the hoop at its angle φ, seen from the side and a little from above.
fn seen(theta: f64, phi: f64) -> (f64, f64) {
    let (across, down) = (RADIUS * theta.sin(), -RADIUS * theta.cos());
    View::new(0.0, 0.25).flat([across * phi.cos(), across * phi.sin(), down])
}

fn seen_hoop(phi: f64) -> Points {
    let angles = (0..=32).map(|i| TAU * f64::from(i) / 32.0);
    angles.map(|theta| seen(theta, phi)).collect()
}
