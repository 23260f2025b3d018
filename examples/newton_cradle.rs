//! Newton's cradle: as many balls leave as have come, if impacts pass from ball to ball.
//!
//! Balls that touch share an impact, and neither momentum nor energy says how: both are conserved by
//!
//! ```text
//! in sequence     each pair exchanges its velocities: k balls stop, and the last k leave with the velocity v
//! at once         v⁺ = 2 v₀ − v⁻ with the common velocity v₀ = k v/n (Moreau's law): all balls move
//! ```
//!
//! The run does either. In sequence one side swings, then the other, each as a pendulum from rest at α: from the highest place to
//! the lowest in K(sin(α/2)) √(l/g), with the complete elliptic integral K. Velocities and times of impacts are compared.
//!
//! Lengths are in metres, times in seconds, masses in kilograms, angles in radians.

use std::error::Error;

use constraint_runtime::prelude::*;
use constraint_runtime::{Impacts, TransitionKind};

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, color};

const BALLS: usize = 5;

system! {
    /// Five balls that hang side by side, at the places `x`.
    pub struct Cradle { m: Real = 0.1, r: Real = 1/64, l: Real = 0.2, e: Real = 1, g: Real = 9.81 }
    coordinate x[5];
    particle ball[i in 0..5] = [x[i], -sqrt(l^2 - (x[i] - 2*r*i)^2)] { mass: m }
    gravity [0, -g];
    constraint pair[i in 0..4]: norm(ball[i + 1] - ball[i]) >= 2*r { restitution: e };
}

/// The angle at which balls are let go.
const PULLED: f64 = 0.7;
const END: f64 = 2.0;
const FRAMES: u32 = 80;

type Angles = SVector<f64, BALLS>;

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    let cradle = Cradle::<f64>::default();
    let fall = quarter((0.5 * PULLED).sin()) * (cradle.l / cradle.g).sqrt();
    let speed = 2.0 * (cradle.g / cradle.l).sqrt() * (0.5 * PULLED).sin();
    println!(
        "pulled   at/s             by hand/s        l θ' after the impact, as parts of that before"
    );
    for pulled in 1..4 {
        let run = Run::new(&cradle, pulled, Impacts::InSequence, 5.5 * fall)?;
        for (k, (time, after)) in run.impacts.iter().enumerate() {
            let expected = fall * (1.0 + 2.0 * k as f64);
            let parts = after / speed;
            let text: Vec<String> = parts.iter().map(|it| format!("{it:7.4}")).collect();
            println!(
                "{pulled:6}   {time:.12}   {expected:.12}   {}",
                text.join(" ")
            );
            assert!((time - expected).abs() < 1e-9, "{time} {expected}");
            // Those on the right leave, and come back to send away those on the left.
            let moves = |i: usize| {
                if k % 2 == 0 {
                    i >= BALLS - pulled
                } else {
                    i < pulled
                }
            };
            let direction = if k % 2 == 0 { 1.0 } else { -1.0 };
            let leave = Angles::from_fn(|i, _| if moves(i) { direction } else { 0.0 });
            assert!((parts - leave).norm() < 1e-9, "{parts}");
        }
        assert_eq!(run.impacts.len(), 3);
    }
    let together = Run::new(&cradle, 1, Impacts::Simultaneous, 1.5 * fall)?;
    let (_, after) = &together.impacts[0];
    let parts = after / speed;
    let text: Vec<String> = parts.iter().map(|it| format!("{it:7.4}")).collect();
    println!(
        "at once, by Moreau's law                       {}",
        text.join(" ")
    );
    let common = 1.0 / BALLS as f64;
    let expected = Angles::from_fn(|i, _| 2.0 * common - f64::from(i == 0));
    assert!((parts - expected).norm() < 1e-9, "{parts}");
    let path = plot::write_svg("newton_cradle", figure(&cradle)?)?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

/// K by the arithmetic–geometric mean.
fn quarter(modulus: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - modulus * modulus).sqrt());
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::FRAC_PI_2 / a
}

struct Run {
    /// The times when balls meet at the lowest place, and all θ' afterwards.
    impacts: Vec<(f64, Angles)>,
    /// All angles at even times.
    frames: Vec<Angles>,
}

impl Run {
    fn new(
        cradle: &Cradle,
        pulled: usize,
        impacts: Impacts,
        end: f64,
    ) -> Result<Self, constraint_runtime::Error> {
        let hung = Angles::from_fn(|i, _| 2.0 * cradle.r * i as f64);
        let aside = Angles::from_fn(|i, _| {
            if i < pulled {
                cradle.l * PULLED.sin()
            } else {
                0.0
            }
        });
        let start = State::new(0.0, hung - aside, Angles::zeros());
        let run = ContactSimulation::new(*cradle, start, DormandPrince::new(1e-10, 1e-10))?;
        let mut run = run.with_impacts(impacts);
        let (mut impacts, mut frames): (Vec<(f64, Angles)>, _) = (Vec::new(), Vec::new());
        for frame in 0..=FRAMES {
            let mut times = Vec::new();
            run.run_until_with(end * f64::from(frame) / f64::from(FRAMES), |event| {
                if let TransitionKind::Impact { .. } = event.kind {
                    times.push(event.time);
                }
            })?;
            let State { q, v, .. } = run.state();
            let angles = (q - hung).map(|it| (it / cradle.l).asin());
            // The speed at the lowest place follows from the energy of each ball.
            let lowest = angles.zip_map(v, |angle, v| {
                let rise = 4.0 * cradle.g / cradle.l * (0.5 * angle).sin().powi(2);
                let rate = v / (cradle.l * angle.cos());
                rate.signum() * (rate * rate + rise).sqrt()
            });
            frames.push(angles);
            impacts.extend(times.iter().map(|&time| (time, lowest)));
        }
        Ok(Self { impacts, frames })
    }
}

fn figure(cradle: &Cradle) -> Result<[(u32, Vec<Panel>); 2], constraint_runtime::Error> {
    let hung = |i: usize| 2.0 * cradle.r * i as f64;
    let place = |i: usize, angle: f64| (hung(i) + cradle.l * angle.sin(), -cradle.l * angle.cos());
    let mut drawings = Vec::new();
    let mut charts = Vec::new();
    for (title, impacts) in [
        ("In sequence", Impacts::InSequence),
        ("At once", Impacts::Simultaneous),
    ] {
        let run = Run::new(cradle, 1, impacts, END)?;
        let threads = run.frames.iter().map(|angles| -> Points {
            let thread = |i: usize| [(hung(i), 0.0), place(i, angles[i]), (f64::NAN, f64::NAN)];
            (0..BALLS).flat_map(thread).collect()
        });
        let balls = run
            .frames
            .iter()
            .map(|angles| -> Points { (0..BALLS).map(|i| place(i, angles[i])).collect() });
        let beam = [(-0.06, 0.0), (0.22, 0.0)];
        drawings.push(
            Panel::drawing(title, END)
                .y(-0.24, 0.02)
                .with(Line::curve("", color::GREY, 3.0, beam))
                .with(Line::bars(color::GREY, 1.0, threads))
                .with(Line::dots(color::BLUE, 22.0, balls)),
        );
        let time = |k: usize| END * k as f64 / f64::from(FRAMES);
        let angle = |i: usize| -> Points {
            let frames = run.frames.iter().enumerate();
            frames.map(|(k, angles)| (time(k), angles[i])).collect()
        };
        charts.push(
            Panel::over_time("", "θ in rad", END)
                .with(Line::curve("first", color::BLUE, 1.5, angle(0)))
                .with(Line::curve("last", color::VERMILION, 1.5, angle(BALLS - 1))),
        );
    }
    Ok([(240, drawings), (200, charts)])
}
