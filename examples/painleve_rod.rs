//! Painlevé's rod: pushed over a rough floor it jams, since Coulomb's friction allows no motion.
//!
//! The tip of a uniform rod slides backwards on the floor while the rod leans forward at θ, as chalk that is pushed over a board.
//! A force λ on the tip, with its friction μ λ, and the motion without it accelerate the tip upwards by a λ/m + b,
//!
//! ```text
//! a = 1 + 3 cos θ (cos θ − μ sin θ)      b = ω² (l/2) sin θ − g
//!
//!            b < 0                       b > 0
//! a > 0      it slides, λ = −m b/a       it leaves the floor
//! a < 0      it jams                     it slides or leaves: both are consistent
//! ```
//!
//! a < 0 needs μ > (1 + 3 cos²θ)/(3 sin θ cos θ), which is least at tan θ = 2, where it is 4/3. In a jam the tip stops at once, in an
//! impact without collision: by the moment of momentum about the tip ω = (3V/2l) sin θ, and of m V²/2 the part
//! 1 − (3/4) sin²θ is lost. The ratio of its impulses is that least μ: sticking is consistent just where sliding is not.
//!
//! # Source
//! P. Painlevé, *Sur les lois du frottement de glissement*, Comptes Rendus 121, 1895; F. Génot, B. Brogliato, *New results on
//! Painlevé paradoxes*, European Journal of Mechanics A 18, 1999.
//!
//! Lengths are in metres, times in seconds, masses in kilograms, angles in radians; y counts upwards.

use std::error::Error;

use constraint_runtime::prelude::*;
use constraint_runtime::{Ambiguity, ContactLaws, Jams, RowMode};

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, color};

system! {
    /// A uniform rod on a floor.
    pub struct Rod { m: Real = 1, l: Real = 1, mu: Real = 1.6, g: Real = 9.81 }
    body rod: Rigid2 { mass: m, inertia: m*l^2/12 }
    gravity [0, -g];
    let tip = at(rod, [-l/2, 0]);
    let end = at(rod, [l/2, 0]);
    constraint at_tip: tip.y >= 0 { friction: mu, slip: velocity(tip).x };
    constraint at_end: end.y >= 0 { friction: mu, slip: velocity(end).x };
}

/// V, backwards.
const SPEED: f64 = 2.0;
const END: f64 = 0.8;
const FRAMES: u32 = 80;

type Start = State<SVector<f64, 4>, Vector3<f64>>;

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    let rod = Rod::<f64>::default();
    let found = check_least_friction(&rod);
    check_regions(&rod);
    check_sliding(&rod)?;
    let critical = 2.0_f64.atan();
    check_jam(&rod, critical)?;
    let drawings = [
        drawing("μ = 1.6: it jams and tips over", &rod, critical)?,
        drawing("μ = 0.6: it slides", &Rod { mu: 0.6, ..rod }, critical)?,
    ];
    let curve = (1..180).map(|i| f64::from(i) * std::f64::consts::PI / 360.0);
    let curve: Points = curve.map(|it| (it, least(it))).collect();
    let chart = Panel::new("Where it jams", "θ in rad", "μ")
        .x(0.0, 1.6)
        .y(0.0, 4.0)
        .with(Line::curve(
            "by hand",
            color::BLUE,
            1.5,
            within(&curve, 4.0),
        ))
        .with(Line::dots(color::VERMILION, 7.0, [found]).labelled("first jam"));
    let path = plot::write_svg("painleve_rod", [(240, drawings.into()), (240, vec![chart])])?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

fn within(curve: &Points, most: f64) -> Points {
    curve.iter().copied().filter(|it| it.1 <= most).collect()
}

// ---- by hand ------------------------------------------------------------------------------------

/// The least μ with a < 0.
fn least(angle: f64) -> f64 {
    let (sin, cos) = angle.sin_cos();
    (1.0 + 3.0 * cos * cos) / (3.0 * sin * cos)
}

/// a and b
fn terms(rod: &Rod, angle: f64, turn: f64) -> [f64; 2] {
    let (sin, cos) = angle.sin_cos();
    let a = 1.0 + 3.0 * cos * (cos - rod.mu * sin);
    [a, turn * turn * 0.5 * rod.l * sin - rod.g]
}

// ---- starts -------------------------------------------------------------------------------------

/// The tip on the floor, sliding backwards.
fn start(rod: &Rod, angle: f64, turn: f64) -> Start {
    let (sin, cos) = angle.sin_cos();
    let arm = [0.5 * rod.l * cos, 0.5 * rod.l * sin];
    let rate = [-SPEED - arm[1] * turn, arm[0] * turn, turn];
    State::new(0.0, [arm[0], arm[1], cos, sin], rate)
}

type Run = ContactSimulation<f64, Rod, Rk4<f64>>;

fn run(rod: &Rod, start: Start, laws: ContactLaws) -> Result<Run, constraint_runtime::Error> {
    ContactSimulation::with_laws(*rod, start, Rk4::new(0.01), laws)
}

/// From which μ on the rod jams, by bisection, for several angles.
fn check_least_friction(rod: &Rod) -> Points {
    println!("θ/rad        jams from μ       by hand");
    let critical = 2.0_f64.atan();
    let angles = [0.4, 0.7, 0.9, critical, 1.25, 1.4];
    let mut found: Points = Vec::new();
    for angle in angles {
        let jams = |mu: f64| {
            let rod = Rod { mu, ..*rod };
            let run = run(&rod, start(&rod, angle, 0.0), ContactLaws::default());
            matches!(run, Err(constraint_runtime::Error::Jammed { .. }))
        };
        let mut within = [0.0, 10.0];
        for _ in 0..40 {
            let half = 0.5 * (within[0] + within[1]);
            within[usize::from(jams(half))] = half;
        }
        let [mu, expected] = [within[1], least(angle)];
        println!("{angle:.8}   {mu:.10}      {expected:.10}");
        assert!((mu - expected).abs() < 1e-9, "{mu} {expected}");
        assert!(mu >= 4.0 / 3.0 - 1e-9);
        found.push((angle, mu));
    }
    assert!((found[3].1 - 4.0 / 3.0).abs() < 1e-9);
    found
}

/// All signs of a and b.
fn check_regions(rod: &Rod) {
    let laws = ContactLaws {
        ambiguity: Ambiguity::Refuse,
        ..ContactLaws::default()
    };
    for (angle, turn) in [(0.5, 0.0), (0.5, 9.0), (1.1, 0.0), (1.1, 9.0)] {
        let [a, b] = terms(rod, angle, turn);
        let begun = run(rod, start(rod, angle, turn), laws);
        let begun = begun.map(|run| run.modes()[0]);
        println!("a = {a:7.4}, b = {b:8.4} m/s²: {begun:?}");
        let is_expected = match (a > 0.0, b > 0.0) {
            (true, false) => begun == Ok(RowMode::Backward),
            (true, true) => begun == Ok(RowMode::Open),
            (false, false) => matches!(begun, Err(constraint_runtime::Error::Jammed { .. })),
            (false, true) => matches!(begun, Err(constraint_runtime::Error::Ambiguous { .. })),
        };
        assert!(is_expected);
    }
}

/// The force on a tip that slides grows as a falls to zero.
fn check_sliding(rod: &Rod) -> Result<(), constraint_runtime::Error> {
    let angle = 2.0_f64.atan();
    for mu in [0.0, 1.0, 1.3, 1.333] {
        let rod = Rod { mu, ..*rod };
        let [a, b] = terms(&rod, angle, 0.0);
        let run = run(&rod, start(&rod, angle, 0.0), ContactLaws::default())?;
        let [force, expected] = [run.contact_forces()?[0], -rod.m * b / a];
        println!("μ = {mu:.3}: λ = {force:.6} N, by hand {expected:.6} N");
        assert!((force / expected - 1.0).abs() < 1e-11);
    }
    Ok(())
}

/// The impact without collision, and the turn about the tip that follows.
fn check_jam(rod: &Rod, angle: f64) -> Result<(), constraint_runtime::Error> {
    let laws = ContactLaws {
        jams: Jams::Impact,
        ..ContactLaws::default()
    };
    let mut run = run(rod, start(rod, angle, 0.0), laws)?;
    let turn = 1.5 * SPEED / rod.l * angle.sin();
    let lost = 0.5 * rod.m * SPEED * SPEED * (1.0 - 0.75 * angle.sin().powi(2));
    let [found, taken] = [run.state().v[2], -run.contact_work().sum()];
    println!("in the jam ω = {found:.12}, lost {taken:.12} J");
    println!("by hand        {turn:.12}       {lost:.12} J");
    assert!((found - turn).abs() < 1e-13);
    assert!((taken - lost).abs() < 1e-13);
    assert_eq!(run.modes()[0], RowMode::Sticking);
    // ω² = ω₀² + (3g/l) (sin θ₀ − sin θ), and t = ∫ dθ/ω by Simpson's rule.
    run.run_until(0.2)?;
    let q = run.state().q;
    let reached = q[3].atan2(q[2]);
    let speed = |it: f64| (turn * turn + 3.0 * rod.g / rod.l * (angle.sin() - it.sin())).sqrt();
    let parts = 200;
    let width = (reached - angle) / f64::from(parts);
    let part = |i: i32| {
        let at = |k: f64| 1.0 / speed(angle + (f64::from(i) + k) * width);
        width / 6.0 * (at(0.0) + 4.0 * at(0.5) + at(1.0))
    };
    let time: f64 = (0..parts).map(part).sum();
    println!("after 0.2 s at θ = {reached:.8} rad, by hand after {time:.8} s");
    assert!((time - 0.2).abs() < 1e-7, "{time}");
    Ok(())
}

// ---- the figure ---------------------------------------------------------------------------------

fn drawing(title: &str, rod: &Rod, angle: f64) -> Result<Panel, constraint_runtime::Error> {
    let laws = ContactLaws {
        jams: Jams::Impact,
        ..ContactLaws::default()
    };
    let mut run = run(rod, start(rod, angle, 0.0), laws)?;
    let (mut rods, mut tips): (Vec<Points>, Vec<Points>) = (Vec::new(), Vec::new());
    for frame in 0..=FRAMES {
        run.run_until(END * f64::from(frame) / f64::from(FRAMES))?;
        let q = run.state().q;
        let end = |side: f64| (q[0] + side * rod.l * q[2], q[1] + side * rod.l * q[3]);
        rods.push([end(-0.5), end(0.5)].into());
        tips.push(vec![end(-0.5)]);
    }
    let floor = [(-1.2, 0.0), (1.2, 0.0)];
    // Four times slower than in life.
    Ok(Panel::drawing(title, 4.0 * END)
        .with(Line::curve("", color::GREY, 3.0, floor))
        .with(Line::bars(color::BLUE, 4.0, rods))
        .with(Line::dots(color::VERMILION, 8.0, tips)))
}
