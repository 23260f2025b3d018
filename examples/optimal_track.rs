//! The fastest way down: a track of seven numbers, improved by gradients of the bead's travel time.
//!
//! A bead is released and slides without friction to a point one metre below and one metre to the side. The track is a
//! spline; its ratios of horizontal to vertical distance from the start, at seven depths, are the parameters of the
//! system. Each run ends at the event that the bead arrives, and one reverse run gives the derivatives of the time of
//! that event with respect to all seven parameters. Starting from the straight line, the track descends along this
//! gradient with the step lengths of Barzilai and Borwein.
//!
//! Checks: gradients agree with differences; the time found exceeds that of the brachistochrone, a cycloid, by less
//! than a thousandth and is never below it; the track passes within millimetres of the cycloid.
//! Lengths are in metres, times in seconds; y counts upwards.
//!
//! # Source
//! [Bernoulli 1697] Johann Bernoulli, *Curvatura radii in diaphanis non uniformibus*, Acta Eruditorum: the cycloid.
//! [Barzilai, Borwein 1988] *Two-point step size gradient methods*, IMA J. Numer. Anal. 8, equation (5).

use std::error::Error;

use constraint_runtime::prelude::*;

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, color};

system! {
    /// A bead on a track through nine points, at depths that are close together near the start.
    #[derivatives]
    pub struct Track { s: [Real; 7], m: Real = 1, g: Real = 9.81 }

    coordinate depth;
    let aside = cubic_spline(
        depth,
        [0, 1/64, 4/64, 9/64, 16/64, 25/64, 36/64, 49/64, 1],
        [0, s[0]/64, s[1]*4/64, s[2]*9/64, s[3]*16/64, s[4]*25/64, s[5]*36/64, s[6]*49/64, 1]
    );
    particle bead = [aside, -depth] { mass: m }
    gravity [0, -g];
    output place = bead;
}

const G: f64 = 9.81;
const STEP: f64 = 4e-3;

/// Prints how the time decreases, and the track next to the cycloid; writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    let cycloid = Cycloid::new();
    let straight = SVector::repeat(1.0);
    let (line, slopes) = descent(straight)?;
    // Along a slope of 45°, g/√2 over √2.
    assert!((line - (4.0 / G).sqrt()).abs() < 1e-9, "{line}");
    compare_slopes(straight, slopes)?;
    println!("\nsteps   time in s   relative excess over the cycloid's");
    let mut excesses = vec![];
    let (found, time) = improved(straight, |step, time| {
        let excess = time / cycloid.time() - 1.0;
        println!("{step:5}   {time:.7}   {excess:.1e}");
        excesses.push((f64::from(step), excess));
    })?;
    println!("\ndepth   track     cycloid");
    let mut most = 0.0_f64;
    for (i, part) in found.iter().enumerate() {
        let depth = (i as f64 + 1.0).powi(2) / 64.0;
        let (x, expected) = (part * depth, cycloid.aside(depth));
        println!("{depth:.4}  {x:.5}   {expected:.5}");
        most = most.max((x - expected).abs());
    }
    println!("\nThe track is within {:.1} mm of the cycloid.", 1e3 * most);
    let excess = time / cycloid.time() - 1.0;
    assert!((-1e-7..1e-3).contains(&excess), "{excess:e}");
    assert!(most < 5e-3, "{most}");
    let path = plot::write_svg("optimal_track", figure(&cycloid, found, excesses)?)?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

/// The time that a bead takes, and its slopes by the parameters.
fn descent(s: SVector<f64, 7>) -> Result<(f64, SVector<f64, 7>), constraint_runtime::Error> {
    let track = Track {
        s: s.into(),
        m: 1.0,
        g: G,
    };
    let start = State::new(0.0, [0.0], [0.0]);
    let mut run = Simulation::new(track, start, Rk4::new(STEP))?
        .until(Crossing::Rising, |state| state.q[0] - 1.0);
    let found = run.gradient_through(
        &[10.0],
        |_, state, by| {
            by.t += 1.0;
            state.t
        },
        |_, _, by| by.q[0] += 1.0,
        |_, _, _| (),
    )?;
    Ok((found.loss, found.by.p.fixed_rows::<7>(0).into()))
}

/// Descends along the gradient from `s` until it no longer improves; reports some of the steps.
fn improved(
    mut s: SVector<f64, 7>,
    mut tell: impl FnMut(u32, f64),
) -> Result<(SVector<f64, 7>, f64), constraint_runtime::Error> {
    let (mut time, mut slopes) = descent(s)?;
    let mut length = f64::INFINITY;
    for step in 0..300 {
        if step % 10 == 0 {
            tell(step, time);
        }
        if slopes.norm() < 1e-4 {
            break;
        }
        length = length.min(0.05 / slopes.amax());
        let tried = std::iter::successors(Some(length), |length| Some(length / 4.0)).take(10);
        let mut tried = tried.map(|length| (-slopes * length, descent(s - slopes * length)));
        let Some((way, Ok((next, next_slopes)))) =
            tried.find(|(_, there)| matches!(there, Ok((there, _)) if *there < time))
        else {
            // All that is left is rounding.
            break;
        };
        let bend = next_slopes - slopes;
        length = way.norm_squared() / way.dot(&bend).abs();
        s += way;
        (time, slopes) = (next, next_slopes);
    }
    Ok((s, time))
}

/// The slopes against central differences.
fn compare_slopes(
    s: SVector<f64, 7>,
    slopes: SVector<f64, 7>,
) -> Result<(), constraint_runtime::Error> {
    println!("∂T/∂s of the straight line, in s\nby the gradient    by differences");
    for i in 0..7 {
        let moved = |by: f64| {
            let mut s = s;
            s[i] += by;
            descent(s).map(|(time, _)| time)
        };
        let expected = (moved(2e-6)? - moved(-2e-6)?) / 4e-6;
        println!("{:15.8}   {expected:15.8}", slopes[i]);
        assert!((slopes[i] - expected).abs() < 1e-6, "{i}");
    }
    Ok(())
}

/// x = r (θ − sin θ), y = −r (1 − cos θ), from the origin to (1, −1).
struct Cycloid {
    r: f64,
    last: f64,
}

impl Cycloid {
    fn new() -> Self {
        // θ − sin θ = 1 − cos θ, by Newton's method.
        let last = (0..8).fold(2.4_f64, |at, _| {
            let (sin, cos) = at.sin_cos();
            at - (at - sin - 1.0 + cos) / (1.0 - cos - sin)
        });
        Self {
            r: 1.0 / (1.0 - last.cos()),
            last,
        }
    }

    /// Of a bead that starts at rest: θ grows evenly, by √(g/r).
    fn time(&self) -> f64 {
        self.last * (self.r / G).sqrt()
    }

    /// x at a depth.
    fn aside(&self, depth: f64) -> f64 {
        let angle = (1.0 - depth / self.r).acos();
        self.r * (angle - angle.sin())
    }
}

/// A race on the straight line and on the track that was found, ten times as slow; and the excess over the cycloid's time.
fn figure(
    cycloid: &Cycloid,
    found: SVector<f64, 7>,
    excesses: Points,
) -> Result<[(u32, Vec<Panel>); 1], constraint_runtime::Error> {
    let race = [ride(SVector::repeat(1.0))?, ride(found)?];
    let frames = race[0].len();
    let bead = |places: &Points| {
        let at = |i: usize| vec![places[i.min(places.len() - 1)]];
        (0..frames).map(at).collect::<Vec<_>>()
    };
    let exact = (0..=100).map(|i| f64::from(i) / 100.0);
    let exact = exact.map(|depth| (cycloid.aside(depth), -depth));
    let drawing = Panel::drawing("A race, ten times as slow", 10.0 * STEP * frames as f64)
        .with(Line::curve("cycloid", color::ORANGE, 5.0, exact))
        .with(Line::curve("found", color::BLUE, 2.0, race[1].clone()))
        .with(Line::curve(
            "straight",
            color::VERMILION,
            2.0,
            race[0].clone(),
        ))
        .with(Line::dots(color::VERMILION, 13.0, bead(&race[0])))
        .with(Line::dots(color::BLUE, 13.0, bead(&race[1])));
    let excess = Panel::new(
        "Time over the cycloid's",
        "steps along the gradient",
        "excess",
    )
    .log()
    .with(Line::curve("", color::BLUE, 1.5, excesses));
    Ok([(380, vec![drawing, excess])])
}

/// The places of a bead at even times.
fn ride(s: SVector<f64, 7>) -> Result<Points, constraint_runtime::Error> {
    let track = Track {
        s: s.into(),
        m: 1.0,
        g: G,
    };
    let start = State::new(0.0, [0.0], [0.0]);
    let mut run = Simulation::new(track, start, Rk4::new(STEP))?;
    let mut places = vec![(0.0, 0.0)];
    while run.state().q[0] < 1.0 {
        run.step()?;
        let place = run.outputs()?.place;
        places.push((place.x, place.y));
    }
    Ok(places)
}
