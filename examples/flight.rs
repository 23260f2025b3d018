//! A bead on the inside of a loop: too slow for the top, it leaves the loop, flies, lands and slides on.
//!
//! The loop pushes towards its centre alone, with λ = m (v²/r − g cos φ) at the angle φ from the apex, and rubs with μ λ. Along the
//! loop v² obeys a linear equation: upwards, with the angle θ from the lowest point,
//!
//! ```text
//! d(v²)/dθ = −2 g r sin θ − 2 μ (v² + g r cos θ)   ⇒   v² = C e^{−2μθ} + 2 g r ((1 − 2μ²) cos θ − 3 μ sin θ)/(1 + 4 μ²)
//! ```
//!
//! Where v² = g r cos φ the bead leaves. The parabola and the circle share three coincident points there, and the angles from the
//! apex of the four points in which a parabola with a vertical axis meets a circle have the sum 2π: it lands at three times the
//! angle, on the other side. The impact takes the velocity v_n across the loop and, by friction, μ v_n of that along it. Where it
//! leaves, lands, and how it slides on are compared, without friction and with it.
//!
//! Lengths are in metres, times in seconds, masses in kilograms; y counts upwards.

use std::error::Error;
use std::f64::consts::PI;

use constraint_runtime::prelude::*;
use constraint_runtime::{RowMode, TransitionKind};

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, color, write_svg};

system! {
    /// A bead inside a loop.
    pub struct Loop { m: Real = 1, r: Real = 1, mu: Real = 0, g: Real = 9.81 }
    particle bead: Point2 { mass: m }
    gravity [0, -g];
    let speed = cross(bead, velocity(bead))/r;
    constraint track: norm(bead) <= r { friction: mu, slip: speed };
}

/// Speed at the lowest point: more than √(2 g r), less than √(5 g r), so that the bead leaves the loop.
const SPEED: f64 = 6.2;
const END: f64 = 3.0;
const FRAMES: u32 = 200;

/// Rides, flies, lands and rides on, with friction and without; compares it with closed forms.
pub fn main() -> Result<(), Box<dyn Error>> {
    let smooth = Ride::new(Loop::default())?;
    let rough = Ride::new(Loop {
        mu: 0.05,
        ..Loop::default()
    })?;
    for ride in [&smooth, &rough] {
        ride.check();
    }
    let drawings = [
        smooth.drawing("Without friction"),
        rough.drawing("With μ = 0.05"),
    ];
    let heights = [
        ("μ = 0", color::BLUE, &smooth),
        ("μ = 0.05", color::VERMILION, &rough),
    ];
    let heights = heights.map(|(name, color, ride)| {
        let points = ride.points.iter().map(|it| (it.t, it.q.y));
        Line::curve(name, color, 1.5, points)
    });
    let chart = Panel::over_time("Height", "y in m", 2.0 * END).with_all(heights);
    let path = write_svg("flight", [(330, drawings.into()), (220, vec![chart])])?;
    println!("{}", path.display());
    Ok(())
}

type Bead = State<Vector2<f64>>;

struct Ride {
    track: Loop,
    leaves: Bead,
    lands: Bead,
    /// A little later.
    slides: Bead,
    /// At even times.
    points: Vec<Bead>,
}

impl Ride {
    fn new(track: Loop) -> Result<Self, constraint_runtime::Error> {
        let start = State::new(0.0, [0.0, -track.r], [SPEED, 0.0]);
        let begin = || ContactSimulation::new(track, start, DormandPrince::new(1e-11, 1e-11));
        let (mut leaves, mut lands) = (f64::NAN, f64::NAN);
        let (mut run, mut points) = (begin()?, vec![start]);
        for frame in 1..=FRAMES {
            let time = END * f64::from(frame) / f64::from(FRAMES);
            run.run_until_with(time, |event| match event.kind {
                TransitionKind::Mode {
                    to: RowMode::Open, ..
                } if leaves.is_nan() => leaves = event.time,
                TransitionKind::Impact { .. } if lands.is_nan() => lands = event.time,
                _ => {}
            })?;
            points.push(*run.state());
        }
        let at = |time: f64| -> Result<Bead, constraint_runtime::Error> {
            let mut run = begin()?;
            run.run_until(time)?;
            Ok(*run.state())
        };
        Ok(Self {
            track,
            leaves: at(leaves)?,
            lands: at(lands)?,
            slides: at(lands + SOON)?,
            points,
        })
    }

    /// All that is known by hand.
    fn check(&self) {
        let Loop { r, mu, g, .. } = self.track;
        // v² from one angle to another; with s the direction of the motion.
        let along = |s: f64, angle: f64| {
            let (sin, cos) = angle.sin_cos();
            2.0 * g * r * ((1.0 - 2.0 * mu * mu) * cos - 3.0 * s * mu * sin) / (1.0 + 4.0 * mu * mu)
        };
        let passed = |s: f64, [from, to]: [f64; 2], square: f64| {
            (square - along(s, from)) * (-2.0 * s * mu * (to - from)).exp() + along(s, to)
        };
        let apart = |square: f64, angle: f64| (square + g * r * angle.cos()).abs() / (g * r);

        let Bead { t, q, v } = self.leaves;
        let angle = lowest(&q);
        let square = passed(1.0, [0.0, angle], SPEED * SPEED);
        println!("μ = {mu}: leaves at {t:.6} s, {angle:.10} rad from the lowest point");
        assert!(apart(square, angle) < 1e-9);
        assert!((v.norm_squared() / square - 1.0).abs() < 1e-9);

        // It has fallen freely.
        let after = self.lands.t - t;
        let fallen = q + v * after - Vector2::new(0.0, 0.5 * g * after * after);
        let (from, to) = (PI - angle, PI + lowest(&self.lands.q));
        println!(
            "lands at {:.6} s, {to:.10} rad from the apex, after {from:.10}",
            self.lands.t
        );
        assert!((fallen - self.lands.q).norm() < 1e-9);
        assert!((to - 3.0 * from).abs() < 1e-9, "{from} {to}");

        // The impact, and then the ride.
        let before = v - Vector2::new(0.0, g * after);
        let landed = lowest(&self.lands.q);
        let outwards = self.lands.q / r;
        let tangent = Vector2::new(-outwards.y, outwards.x);
        let [across, slip] = [before.dot(&outwards), before.dot(&tangent)];
        let left = slip - slip.signum() * mu * across;
        let square = passed(slip.signum(), [landed, lowest(&self.slides.q)], left * left);
        let speed = self.slides.v.norm();
        println!(
            "slides on with {left:.10} m/s, and then {speed:.10}, by hand {:.10}",
            square.sqrt()
        );
        assert!((speed - square.sqrt()).abs() < 1e-9);
    }

    /// Half as fast as in life.
    fn drawing(&self, title: &str) -> Panel {
        let circle = (0..=120).map(|i| {
            let (sin, cos) = (f64::from(i) * PI / 60.0).sin_cos();
            (self.track.r * cos, self.track.r * sin)
        });
        let path = |from: f64, to: f64| -> Points {
            let points = self.points.iter().filter(|it| (from..=to).contains(&it.t));
            points.map(|it| (it.q.x, it.q.y)).collect()
        };
        let flight = path(self.leaves.t, self.lands.t);
        let bead = self.points.iter().map(|it| vec![(it.q.x, it.q.y)]);
        Panel::drawing(title, 2.0 * END)
            .with(Line::curve("", color::GREY, 3.0, circle))
            .with(Line::curve("in the air", color::VERMILION, 2.0, flight))
            .with(Line::dots(color::BLUE, 14.0, bead))
    }
}

/// After it has landed.
const SOON: f64 = 0.1;

/// The angle from the lowest point.
fn lowest(place: &Vector2<f64>) -> f64 {
    place.x.atan2(-place.y)
}
