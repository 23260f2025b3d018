//! A heavy symmetric top on its tip: it precesses at the rate that the textbooks give, and nutates between their
//! limits.
//!
//! The top is a rigid body with six velocities, and a constraint of three rows holds its tip; Euler's angles appear
//! only in the reference solution. Started in steady precession, the axis turns at the slow root of I₁ cos θ Ω² − I₃
//! ω₃ Ω + m g l = 0. Released from rest, it nutates between its start and the angle of the next zero of Lagrange's
//! cubic. Lengths are in metres, times in seconds, masses in kilograms.

use std::error::Error;
use std::f64::consts::TAU;

use constraint_runtime::prelude::*;

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Face, Line, Panel, View, color, evenly};

system! {
    /// A top whose tip, `l` below its centre of mass, is fixed; `a` across and `c` along its axis.
    pub struct Top { m: Real = 0.5, a: Real = 0.0006, c: Real = 0.0004, l: Real = 0.04, g: Real = 9.81 }

    body top: Rigid3 { mass: m, inertia: [a, a, c] }
    constraint tip: at(top, [0, 0, -l]) == [0, 0, 0];
    potential m*g*at(top, [0, 0, 0]).z;
}

/// Tilt of the axis at the start, and spin about it in rad/s.
const TILT: f64 = 0.5;
const SPIN: f64 = 150.0;

type Run = Simulation<Top, DormandPrince<f64>>;

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    println!("Derived when this program was compiled\n");
    println!(
        "C =\n{}\n\n{}",
        Top::DERIVATION.entry("constraint").text,
        Top::DERIVATION.entry("solver").text
    );
    println!("v̇ in {}\n", Top::DERIVATION.entry("acceleration").cost);
    steady()?;
    let nutation = nutation()?;
    let path = plot::write_svg("spinning_top", figure(&nutation))?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

/// The top, tilted about x, that spins about its axis while the axis turns about the vertical at `rate`.
fn start(top: Top, rate: f64) -> Result<Run, constraint_runtime::Error> {
    let mut q = TopCoordinates {
        top: Rigid3::rotation(Vector3::x() * TILT),
    };
    let axis = q.top.rotation * Vector3::z();
    q.top.translation.vector = axis * top.l;
    let across = Vector3::z() - axis * axis.z;
    let angular = across * rate + axis * SPIN;
    let linear = angular.cross(&q.top.translation.vector);
    let v = TopVelocities {
        top: Twist3 { linear, angular },
    };
    let run = Simulation::new(top, State::new(0.0, q, v), DormandPrince::new(1e-12, 1e-12))?;
    Ok(run.with_stabilization(Stabilization::Projection { tolerance: 1e-13 }))
}

/// Steady precession for one second.
fn steady() -> Result<(), constraint_runtime::Error> {
    let top = Top::<f64>::default();
    let (about_tip, weight) = (top.a + top.m * top.l * top.l, top.m * top.g * top.l);
    let (quadratic, linear) = (about_tip * TILT.cos(), top.c * SPIN);
    let rate = 2.0 * weight / (linear + (linear * linear - 4.0 * quadratic * weight).sqrt());
    let mut run = start(top, rate)?;
    let energy = run.energy();
    run.run_until(1.0)?;
    let place = run.coordinates().top.translation.vector;
    // The axis began at −y.
    let turned = place.x.atan2(-place.y);
    let turns = ((rate - turned) / TAU).round();
    let found = turned + turns * TAU;
    println!("Steady precession at a tilt of {TILT}, spinning at {SPIN} rad/s\n");
    println!("rate as simulated            {found:.10} rad/s");
    println!("root of the quadratic        {rate:.10} rad/s");
    println!(
        "change of the tilt           {:.0e}",
        (place.z / top.l - TILT.cos()).abs()
    );
    println!(
        "of the energy                {:.0e}\n",
        (run.energy() / energy - 1.0).abs()
    );
    assert!((found / rate - 1.0).abs() < 1e-8, "{found} {rate}");
    assert!((place.z / top.l - TILT.cos()).abs() < 1e-8);
    assert!((run.energy() / energy - 1.0).abs() < 1e-10);
    Ok(())
}

struct Nutation {
    /// Times, and poses then.
    poses: Vec<(f64, Rigid3)>,
    /// The least and the largest tilt in closed form.
    limits: [f64; 2],
}

/// The axis released from rest: cos θ falls from u₀ to the other root of 2 I₁ m g l (1 − u²) = (I₃ ω₃)² (u₀ − u).
fn nutation() -> Result<Nutation, constraint_runtime::Error> {
    let top = Top::<f64>::default();
    let (about_tip, weight) = (top.a + top.m * top.l * top.l, top.m * top.g * top.l);
    let mut run = start(top, 0.0)?;
    let (mut poses, mut lowest) = (vec![], 1.0_f64);
    for i in 1..=4000 {
        run.run_until(f64::from(i) * 1e-4)?;
        let axis = run.coordinates().top.translation.vector / top.l;
        lowest = lowest.min(axis.z);
        poses.push((run.state().t, run.coordinates().top));
    }
    let ratio = (top.c * SPIN).powi(2) / (2.0 * about_tip * weight);
    let expected = 0.5 * (ratio - (ratio * ratio - 4.0 * (ratio * TILT.cos() - 1.0)).sqrt());
    println!("Released from rest at a tilt of {TILT}\n");
    println!("least cos θ as simulated     {lowest:.8}");
    println!("root of the cubic            {expected:.8}");
    // The least of samples lies above the minimum by up to ü h²/8.
    assert!(
        lowest > expected - 1e-9 && lowest < expected + 1e-5,
        "{lowest} {expected}"
    );
    let limits = [TILT, expected.acos()];
    Ok(Nutation { poses, limits })
}

/// Twenty times as slow: the top, the path of its axis, and its tilt between the limits.
fn figure(nutation: &Nutation) -> [(u32, Vec<Panel>); 1] {
    let (until, seconds) = (0.4, 8.0);
    let view = View::new(-0.9, 0.1);
    let axis = |pose: &Rigid3| pose.rotation * Vector3::z();
    let frames = || evenly(&nutation.poses, 100).map(|(_, pose)| pose);
    let path = nutation.poses.iter().map(|(_, pose)| axis(pose));
    let top = Panel::in_space("The top, 20 times as slow", seconds)
        .with(Line::trail(
            color::BLUE,
            1.5,
            path.map(|it| view.flat(it * 0.08)),
        ))
        .with(Line::book(frames().map(|pose| body(pose, view))));
    let from_above = nutation
        .poses
        .iter()
        .map(|(_, pose)| (axis(pose).x, axis(pose).y));
    let above = Panel::drawing("Its axis from above", seconds)
        .labels("x/l", "y/l")
        .with(Line::trail(color::BLUE, 1.5, from_above))
        .with(Line::dots(
            color::BLUE,
            8.0,
            frames().map(|pose| vec![(axis(pose).x, axis(pose).y)]),
        ));
    let tilts = nutation
        .poses
        .iter()
        .map(|(t, pose)| (*t, axis(pose).z.acos()));
    let limits = nutation
        .limits
        .map(|tilt| Line::curve("", color::VERMILION, 1.5, [(0.0, tilt), (until, tilt)]));
    let [least, most] = limits;
    let tilt = Panel::over_time("Its tilt", "θ in rad", seconds)
        .with(least.labelled("limits by hand"))
        .with(most)
        .with(Line::curve("simulated", color::BLUE, 1.5, tilts));
    [(320, vec![top, above, tilt])]
}

/// A cone on its tip under a disc, half orange and half blue, and a stem.
fn body(pose: &Rigid3, view: View) -> Vec<Face> {
    let flat = |x: f64, y: f64, z: f64| view.flat(pose * Point3::new(x, y, z));
    let rim = |i: u32| {
        let (sin, cos) = (TAU * f64::from(i) / 24.0).sin_cos();
        flat(0.04 * cos, 0.04 * sin, 0.005)
    };
    let tip = flat(0.0, 0.0, -0.04);
    // Those parts of the side that face the viewer: they turn clockwise around the tip.
    let side = (0..12).flat_map(|i| {
        let [a, b] = [2 * i, 2 * i + 2].map(rim);
        let turn = (a.0 - tip.0) * (b.1 - tip.1) - (a.1 - tip.1) * (b.0 - tip.0);
        (turn < 0.0).then_some([tip, a, b, (f64::NAN, 0.0)])
    });
    let side = side.flatten();
    let stem = [(-1.0, 0.005), (1.0, 0.005), (1.0, 0.04), (-1.0, 0.04)];
    let face = |color, points| Face { color, points };
    vec![
        face(color::GREY, side.collect()),
        face(color::ORANGE, (0..24).map(rim).collect()),
        face(color::BLUE, (0..=12).map(rim).collect()),
        face(
            color::GREY,
            stem.map(|(x, z)| flat(0.002 * x, 0.0, z)).into(),
        ),
    ]
}
