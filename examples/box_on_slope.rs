//! Boxes on slopes: one stops, one slides on, one stays, one tips over.
//!
//! A box 2b long and 2h high rests on its two lower corners; x counts downhill. On a slope of the angle θ
//!
//! ```text
//! a box at rest sticks iff tan θ ≤ μ              and stays upright iff tan θ ≤ b/h
//! thrown downhill with v₀ it stops after          t = v₀/(g (μ cos θ − sin θ)),  x = v₀ t/2,   if tan θ < μ
//! otherwise it slides with the acceleration       g (sin θ − μ cos θ)
//! the front corner carries, while it slides,      m g cos θ (1 + μ h/b)/2, the other m g cos θ (1 − μ h/b)/2
//! ```
//!
//! If tan θ > b/h it tips over its front corner. With the half diagonal R at the angle ψ = θ − arctan(b/h) to the vertical it has
//! the angular velocity ω² = (3g/2R) (cos ψ − cos(ψ + φ)) after a turn of φ, by its energy, which takes the time ∫ dφ/ω. Both
//! bounds are tried from both sides; times, places, forces and turns are compared.
//!
//! Lengths are in metres, times in seconds, masses in kilograms, angles in radians.

use std::error::Error;

use constraint_runtime::prelude::*;
use constraint_runtime::{RowMode, TransitionKind};

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, color};

system! {
    /// A uniform box on a slope, seen from the slope: x downhill, y away from it.
    pub struct Slope { m: Real = 3, b: Real = 0.15, h: Real = 0.2, slope: Real = 0.3, mu: Real = 0.5, g: Real = 9.81 }
    body block: Rigid2 { mass: m, inertia: m*(b^2 + h^2)/3 }
    gravity [g*sin(slope), -g*cos(slope)];
    let back = at(block, [-b, -h]);
    let front = at(block, [b, -h]);
    let head = at(block, [b, h]);
    constraint on_back: back.y >= 0 { friction: mu, slip: velocity(back).x };
    constraint on_front: front.y >= 0 { friction: mu, slip: velocity(front).x };
    constraint on_head: head.y >= 0 { friction: mu, slip: velocity(head).x };
}

const END: f64 = 1.6;
const FRAMES: u32 = 80;

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    let stops = Slope::<f64>::default();
    let slides = Slope { mu: 0.25, ..stops };
    let [steep, upright] = [0.7, stops.b / stops.h];
    let tips = Slope {
        slope: steep,
        mu: 1.0,
        ..stops
    };
    check_sticking(&stops)?;
    check_tipping(&stops, upright)?;
    check_stop(&stops)?;
    check_sliding(&slides)?;
    check_turn(&tips)?;
    let runs = [
        ("μ > tan θ: it stops", stops, SPEED),
        ("μ < tan θ: it slides on", slides, 0.0),
        ("b/h < tan θ < μ: it tips", tips, 0.0),
    ];
    let panels = runs.map(|(title, slope, speed)| panel(title, slope, speed));
    let panels: Result<Vec<Panel>, _> = panels.into_iter().collect();
    let path = plot::write_svg("box_on_slope", [(300, panels?)])?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

/// Downhill, at the start.
const SPEED: f64 = 1.5;

type Run = ContactSimulation<f64, Slope, DormandPrince<f64>>;

fn run(slope: Slope, speed: f64) -> Result<Run, constraint_runtime::Error> {
    let start = State::new(0.0, [0.0, slope.h, 1.0, 0.0], [speed, 0.0, 0.0]);
    ContactSimulation::new(slope, start, DormandPrince::new(1e-10, 1e-10))
}

/// A box at rest near tan θ = μ. One corner that sticks holds it: of the other, at its limit, a mode says where it would slide.
fn check_sticking(slope: &Slope) -> Result<(), constraint_runtime::Error> {
    for (part, sticks) in [(1.0 + 1e-9, true), (1.0 - 1e-9, false)] {
        let mu = part * slope.slope.tan();
        let mut run = run(Slope { mu, ..*slope }, 0.0)?;
        run.run_until(END)?;
        let speed = run.state().v[0];
        println!("μ = {part:.9} tan θ: after {END} s it slides with {speed:.1e} m/s");
        let slides = slope.g * (1.0 - part) * slope.slope.sin() * END;
        let expected = if sticks { 0.0 } else { slides };
        assert!((speed - expected).abs() < 1e-13, "{speed} {expected}");
        assert_eq!(run.modes().contains(&RowMode::Sticking), sticks);
    }
    Ok(())
}

/// A box at rest near tan θ = b/h.
fn check_tipping(slope: &Slope, upright: f64) -> Result<(), constraint_runtime::Error> {
    for (part, tips) in [(1.0 - 1e-9, false), (1.0 + 1e-9, true)] {
        let angle = (part * upright).atan();
        let tried = Slope {
            slope: angle,
            mu: 1.0,
            ..*slope
        };
        let run = run(tried, 0.0)?;
        println!("tan θ = {part:.9} b/h: it tips: {tips}");
        assert_eq!(run.modes()[0] == RowMode::Open, tips);
        assert_eq!(run.modes()[1], RowMode::Sticking);
    }
    Ok(())
}

/// Thrown downhill where tan θ < μ.
fn check_stop(slope: &Slope) -> Result<(), constraint_runtime::Error> {
    let (sin, cos) = slope.slope.sin_cos();
    let stop = SPEED / (slope.g * (slope.mu * cos - sin));
    let mut run = run(*slope, SPEED)?;
    let weight = slope.m * slope.g * cos;
    let lever = slope.mu * slope.h / slope.b;
    let forces = run.contact_forces()?;
    println!("back and front carry {:.9} {:.9} N", forces[0], forces[1]);
    assert!((forces[0] - 0.5 * weight * (1.0 - lever)).abs() < 1e-12 * weight);
    assert!((forces[1] - 0.5 * weight * (1.0 + lever)).abs() < 1e-12 * weight);
    let mut at = f64::NAN;
    run.run_until_with(END, |event| {
        if let TransitionKind::Mode { to, .. } = event.kind {
            assert_eq!(to, RowMode::Sticking);
            at = event.time;
        }
    })?;
    let path = run.state().q[0];
    println!("stops at {at:.12} s after {path:.12} m");
    println!("by hand  {stop:.12} s       {:.12} m", 0.5 * SPEED * stop);
    assert!((at - stop).abs() < 1e-12);
    assert!((path - 0.5 * SPEED * stop).abs() < 1e-12);
    Ok(())
}

/// From rest where tan θ > μ.
fn check_sliding(slope: &Slope) -> Result<(), constraint_runtime::Error> {
    let (sin, cos) = slope.slope.sin_cos();
    let mut run = run(*slope, 0.0)?;
    run.run_until(END)?;
    let speed = slope.g * (sin - slope.mu * cos) * END;
    println!("slides with {:.12} m/s", run.state().v[0]);
    println!("by hand     {speed:.12} m/s");
    assert!((run.state().v[0] - speed).abs() < 1e-12);
    Ok(())
}

/// From rest where tan θ > b/h.
fn check_turn(slope: &Slope) -> Result<(), constraint_runtime::Error> {
    let hand = ByHand::new(slope);
    let mut run = run(*slope, 0.0)?;
    println!("turned/rad   after/s        by hand/s");
    for time in [0.2, 0.4, 0.6] {
        run.run_until(time)?;
        assert_eq!(run.modes()[1], RowMode::Sticking);
        let State { q, v, .. } = run.state();
        let turn = -q[3].atan2(q[2]);
        let expected = hand.time(turn);
        println!("{turn:.8}   {time:.10}   {expected:.10}");
        assert!((time - expected).abs() < 1e-8, "{time} {expected}");
        assert!((-v[2] - hand.speed(turn)).abs() < 1e-8);
    }
    Ok(())
}

/// A box that turns about its front corner.
struct ByHand {
    /// 3g/2R
    rate: f64,
    /// ψ
    lean: f64,
}

impl ByHand {
    fn new(slope: &Slope) -> Self {
        Self {
            rate: 1.5 * slope.g / slope.b.hypot(slope.h),
            lean: slope.slope - slope.b.atan2(slope.h),
        }
    }

    /// ω after a turn.
    fn speed(&self, turn: f64) -> f64 {
        (self.rate * (self.lean.cos() - (self.lean + turn).cos())).sqrt()
    }

    /// The time of a turn from rest. With φ s² in place of φ the integrand is smooth: Simpson's rule.
    fn time(&self, turn: f64) -> f64 {
        let at = |s: f64| {
            // cos ψ − cos(ψ + φ s²) = 2 sin(ψ + φ s²/2) sin(φ s²/2)
            let half = 0.5 * turn * s * s;
            let part = if s == 0.0 {
                0.5 * turn
            } else {
                half.sin() / (s * s)
            };
            2.0 * turn / (2.0 * self.rate * (self.lean + half).sin() * part).sqrt()
        };
        let parts = 200;
        let width = 1.0 / f64::from(parts);
        let part = |i: i32| {
            let [a, b] = [0.0, 1.0].map(|end| (f64::from(i) + end) * width);
            width / 6.0 * (at(a) + 4.0 * at(0.5 * (a + b)) + at(b))
        };
        (0..parts).map(part).sum()
    }
}

/// The box, seen from outside.
fn panel(title: &str, slope: Slope, speed: f64) -> Result<Panel, constraint_runtime::Error> {
    let (sin, cos) = slope.slope.sin_cos();
    let outside = |x: f64, y: f64| (cos * x + sin * y, cos * y - sin * x);
    let mut run = run(slope, speed)?;
    let mut outlines: Vec<Points> = Vec::new();
    for frame in 0..=FRAMES {
        run.run_until(END * f64::from(frame) / f64::from(FRAMES))?;
        let q = run.state().q;
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let corner = |(i, j): (f64, f64)| {
            let [u, w] = [i * slope.b, j * slope.h];
            outside(q[0] + q[2] * u - q[3] * w, q[1] + q[3] * u + q[2] * w)
        };
        outlines.push(corners.map(corner).into());
    }
    let ground = [outside(-0.4, 0.0), outside(1.6, 0.0)];
    Ok(Panel::drawing(title, END)
        .with(Line::curve("", color::GREY, 3.0, ground))
        .with(Line::area(color::BLUE, outlines)))
}
