//! A block that rocks on its two lower corners: it loses the same part of its speed whenever it changes corners.
//!
//! About a corner it turns as an inverted pendulum, θ̈ = −p² sin(α − θ) for the tilt θ ≥ 0, with the half diagonal R at the angle α
//! to the side and p² = 3g/(4R): from rest at θ₀ it falls back in T(θ₀) = ∫ dθ/(p √(2 cos(α − θ₀) − 2 cos(α − θ))). Then the other
//! corner stops, without rebound and without slipping: the angular momentum about it is conserved, which leaves the part
//! r = 1 − (3/2) sin²α of the angular velocity. The next tilt follows from cos(α − θₖ₊₁) − cos α = r² (cos(α − θₖ) − cos α). All
//! times and tilts are compared, and T with arcosh(1/(1 − θ₀/α))/p, its value for slender blocks.
//!
//! # Source
//! G. W. Housner, *The behavior of inverted pendulum structures during earthquakes*, Bull. Seismol. Soc. Am. 53, 1963.
//!
//! Lengths are in metres, times in seconds, masses in kilograms, angles in radians; y counts upwards.

use std::error::Error;

use constraint_runtime::TransitionKind;
use constraint_runtime::prelude::*;

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, color};

system! {
    /// A uniform block, 2b wide and 2h high, on a floor.
    pub struct Block { m: Real = 2, b: Real = 0.2, h: Real = 0.5, mu: Real = 0.6, g: Real = 9.81 }
    body block: Rigid2 { mass: m, inertia: m*(b^2 + h^2)/3 }
    gravity [0, -g];
    let left = at(block, [-b, -h]);
    let right = at(block, [b, -h]);
    constraint on_left: left.y >= 0 { friction: mu, slip: velocity(left).x };
    constraint on_right: right.y >= 0 { friction: mu, slip: velocity(right).x };
}

/// The first tilt, to the left, as a part of α.
const TILT: f64 = 0.6;
const STEP: f64 = 2e-3;
const END: f64 = 2.4;
const FRAMES: u32 = 160;

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    let block = Block::<f64>::default();
    let housner = Housner::new(&block);
    let (mut tilt, mut time) = (TILT * housner.alpha, 0.0);
    let slender = (1.0 / (1.0 - TILT)).acosh() / housner.p;
    println!("T(θ₀)                        {:.6} s", housner.fall(tilt));
    println!("for a slender block          {slender:.6} s");
    assert!((housner.fall(tilt) / slender - 1.0).abs() < housner.alpha.powi(2) / 4.0);
    let run = Run::new(block, tilt)?;
    println!("impact   at/s           by hand/s      ω⁺/ω⁻");
    for (k, &[at, ratio]) in run.impacts.iter().enumerate() {
        time += housner.fall(tilt);
        println!("{:6}   {at:.10}   {time:.10}   {ratio:.12}", k + 1);
        assert!((at - time).abs() < 1e-8, "{at} {time}");
        assert!((ratio - housner.ratio).abs() < 1e-12, "{ratio}");
        tilt = housner.next(tilt);
        // As long upwards as back.
        time += housner.fall(tilt);
    }
    assert!(run.impacts.len() > 10, "{}", run.impacts.len());
    println!(
        "1 − (3/2) sin²α                            {:.12}",
        housner.ratio
    );
    let path = plot::write_svg("rocking_block", run.figure(&block))?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

// ---- by hand ------------------------------------------------------------------------------------

struct Housner {
    alpha: f64,
    p: f64,
    /// Of angular velocities at an impact.
    ratio: f64,
}

impl Housner {
    fn new(block: &Block) -> Self {
        let alpha = block.b.atan2(block.h);
        let radius = block.b.hypot(block.h);
        // The impulse at the new corner has to be in the cone of friction: m h (1 − r) ω across, m b (1 + r) ω upwards.
        let ratio = 1.0 - 1.5 * alpha.sin().powi(2);
        assert!(block.mu * block.b * (1.0 + ratio) > block.h * (1.0 - ratio));
        Self {
            alpha,
            p: (0.75 * block.g / radius).sqrt(),
            ratio,
        }
    }

    /// From rest at a tilt back to none. With θ = θ₀ (1 − s²) the integrand is smooth: Simpson's rule.
    fn fall(&self, tilt: f64) -> f64 {
        let at = |s: f64| {
            // cos(α − θ₀) − cos(α − θ) = 2 sin(α − θ₀ + δ) sin δ, δ = (θ₀ − θ)/2
            let half = 0.5 * tilt * s * s;
            let part = match s {
                0.0 => 0.5 * tilt,
                s => half.sin() / (s * s),
            };
            let speed = self.p * 2.0 * ((self.alpha - tilt + half).sin() * part).sqrt();
            2.0 * tilt / speed
        };
        let parts = 200;
        let width = 1.0 / f64::from(parts);
        let part = |i: i32| {
            let [a, b] = [0.0, 1.0].map(|end| (f64::from(i) + end) * width);
            width / 6.0 * (at(a) + 4.0 * at(0.5 * (a + b)) + at(b))
        };
        (0..parts).map(part).sum()
    }

    /// The tilt after an impact.
    fn next(&self, tilt: f64) -> f64 {
        let rise = (self.alpha - tilt).cos() - self.alpha.cos();
        self.alpha - (self.alpha.cos() + self.ratio * self.ratio * rise).acos()
    }
}

// ---- the run ------------------------------------------------------------------------------------

struct Run {
    /// The time of each impact, and the part of the angular velocity that it leaves.
    impacts: Vec<[f64; 2]>,
    /// Time, and place and turn of the block, at even times.
    poses: Vec<[f64; 4]>,
}

impl Run {
    fn new(block: Block, tilt: f64) -> Result<Self, constraint_runtime::Error> {
        let (sin, cos) = tilt.sin_cos();
        // On its left corner, which is in the origin.
        let [b, h] = [block.b, block.h];
        let place = [b * cos - h * sin, b * sin + h * cos];
        let start = State::new(0.0, [place[0], place[1], cos, sin], [0.0; 3]);
        let mut run = ContactSimulation::new(block, start, Rk4::new(STEP))?;
        let (mut impacts, mut poses) = (Vec::new(), Vec::new());
        for frame in 0..=FRAMES {
            let time = END * f64::from(frame) / f64::from(FRAMES);
            // All impacts are at no tilt, where the rest of the energy is kinetic, I ω²/2 with the same I at both corners.
            let mut kinetic = run.energy() - block.m * block.g * h;
            run.run_until_with(time, |event| {
                if let TransitionKind::Impact { energy, .. } = event.kind {
                    impacts.push([event.time, (1.0 + energy / kinetic).sqrt()]);
                    kinetic += energy;
                }
            })?;
            let State { t, q, .. } = run.state();
            poses.push([*t, q[0], q[1], q[3].atan2(q[2])]);
        }
        Ok(Self { impacts, poses })
    }

    fn figure(&self, block: &Block) -> [(u32, Vec<Panel>); 1] {
        let outline = |&[_, x, y, angle]: &[f64; 4]| -> Points {
            let (sin, cos) = angle.sin_cos();
            let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            let corner = |(i, j): (f64, f64)| {
                let [u, w] = [i * block.b, j * block.h];
                (x + cos * u - sin * w, y + sin * u + cos * w)
            };
            corners.map(corner).into()
        };
        let floor = [(-0.8, 0.0), (1.2, 0.0)];
        let drawing = Panel::drawing("A block rocks", END)
            .with(Line::curve("", color::GREY, 3.0, floor))
            .with(Line::area(color::BLUE, self.poses.iter().map(outline)));
        let tilts = self.poses.iter().map(|&[t, _, _, angle]| (t, angle));
        let chart = Panel::over_time("Its tilt", "tilt in rad", END).with(Line::curve(
            "",
            color::BLUE,
            1.5,
            tilts,
        ));
        [(320, vec![drawing, chart])]
    }
}
