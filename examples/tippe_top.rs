//! A tippe top: a ball with its centre of mass below its middle turns upside down while it spins.
//!
//! The centre of mass is α R from the middle of the ball, on the axis of symmetry. Friction at the lowest point has no moment
//! about the line from that point to the centre of mass, so that Jellett's integral J = −L·r stays constant whatever friction does,
//! with the angular momentum L about the centre of mass and r from there to the floor. Friction takes energy, until nothing slips:
//! with z = cos θ of the axis, the least energy that J allows is
//!
//! ```text
//! V(z) = J²/(2 R² (I₁ (1 − z²) + I₃ (z − α)²)) + m g R (1 − α z)
//! ```
//!
//! The spin upright, z = 1, is no minimum if J² > m g R³ α I₃ (1 − α)⁴/(I₁/I₃ − 1 + α). Upside down, z = −1, is one if
//!
//! ```text
//! J² > m g R³ α I₃ (1 + α)⁴/(1 + α − I₁/I₃)
//! ```
//!
//! which is the published condition of inversion; between both the top ends up leaning, where V′(z) = 0. J, the end of a
//! top above the condition and of one below it, and the energy there are compared.
//!
//! # Source
//! J. H. Jellett, *A treatise on the theory of friction*, 1872; S. Ebenfeld, F. Scheck, *A new analysis of the tippe top*, Annals of
//! Physics 243, 1995; S. Rauch-Wojciechowski, M. Sköldstam, T. Glad, *Mathematical analysis of the tippe top*, Regular and Chaotic
//! Dynamics 10, 2005.
//!
//! Lengths are in metres, times in seconds, masses in kilograms, angles in radians; z counts upwards.

use std::error::Error;

use constraint_runtime::RowMode;
use constraint_runtime::nalgebra::UnitQuaternion;
use constraint_runtime::prelude::*;

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, View, color};

system! {
    /// A ball of the radius `r` whose centre of mass is `alpha` r from its middle; `friction` is viscous.
    pub struct Top { m: Real = 0.02, r: Real = 0.02, alpha: Real = 0.3, a: Real = 3.2e-6, c: Real = 3.2e-6, friction: Real = 0.1, g: Real = 9.81 }
    body top: Rigid3 { mass: m, inertia: [a, a, c] }
    gravity [0, 0, -g];
    let middle = at(top, [0, 0, alpha*r]);
    let slip = velocity(middle) + cross(angular_velocity(top), [0, 0, -r]);
    force [slip.x, slip.y]: -friction*[slip.x, slip.y];
    constraint floor: middle.z >= r;
}

/// The first tilt of the axis.
const TILT: f64 = 0.3;
const END: f64 = 4.0;
const FRAMES: u32 = 100;

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    let top = Top::<f64>::default();
    let hand = ByHand::new(&top);
    println!(
        "it leaves the upright spin from  J = {:.6e} kg m³/s",
        hand.rises
    );
    println!(
        "and turns upside down from       J = {:.6e} kg m³/s",
        hand.inverts
    );
    assert!(hand.rises < hand.inverts);
    let mut runs = Vec::new();
    for part in [1.3, 0.85] {
        let run = Run::new(&top, part * hand.inverts)?;
        let lowest = hand.lowest(run.jellett);
        let [first, last] = [0, run.energies.len() - 1].map(|i| run.energies[i]);
        let least = hand.energy(run.jellett, lowest);
        // It nods a little; the mean of the last fifth.
        let late = &run.axes[4 * run.axes.len() / 5..];
        let z = late.iter().map(|it| it.z).sum::<f64>() / late.len() as f64;
        println!("J = {part:.2} of it: ends with z = {z:.4}, by hand {lowest:.4}");
        println!(
            "    energy {last:.6e} J, by hand {least:.6e} J; J off by {:.0e}",
            run.off
        );
        assert!((z - lowest).abs() < 0.02, "{z} {lowest}");
        assert!(last > least && last - least < 0.03 * (first - least));
        assert!(run.energies.windows(2).all(|it| it[1] < it[0]));
        assert!(run.off < 1e-10, "{}", run.off);
        assert_eq!(part > 1.0, lowest == -1.0);
        runs.push((part, run, lowest));
    }
    let path = plot::write_svg("tippe_top", figure(&top, &runs))?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

// ---- by hand ------------------------------------------------------------------------------------

struct ByHand {
    top: Top,
    /// J from which on the spin upright is unstable.
    rises: f64,
    /// J from which on the spin upside down is stable.
    inverts: f64,
}

impl ByHand {
    fn new(top: &Top) -> Self {
        let Top {
            m,
            r,
            alpha,
            a,
            c,
            g,
            ..
        } = *top;
        let scale = m * g * r.powi(3) * alpha * c;
        let bound = |side: f64, gap: f64| (scale * (1.0 + side).powi(4) / gap).sqrt();
        Self {
            top: *top,
            rises: bound(-alpha, a / c - 1.0 + alpha),
            inverts: bound(alpha, 1.0 + alpha - a / c),
        }
    }

    /// V
    fn energy(&self, jellett: f64, z: f64) -> f64 {
        let Top {
            m,
            r,
            alpha,
            a,
            c,
            g,
            ..
        } = self.top;
        let inertia = a * (1.0 - z * z) + c * (z - alpha).powi(2);
        jellett * jellett / (2.0 * r * r * inertia) + m * g * r * (1.0 - alpha * z)
    }

    /// z of the least V: −1 above the condition, otherwise where V′ = 0.
    fn lowest(&self, jellett: f64) -> f64 {
        let Top {
            m,
            r,
            alpha,
            a,
            c,
            g,
            ..
        } = self.top;
        let slope = |z: f64| {
            let inertia = a * (1.0 - z * z) + c * (z - alpha).powi(2);
            let change = 2.0 * (c * (z - alpha) - a * z);
            -jellett * jellett * change / (2.0 * (r * inertia).powi(2)) - m * g * r * alpha
        };
        if slope(-1.0) > 0.0 {
            return -1.0;
        }
        let mut within = [-1.0, 1.0];
        for _ in 0..60 {
            let half = 0.5 * (within[0] + within[1]);
            within[usize::from(slope(half) > 0.0)] = half;
        }
        within[0]
    }
}

// ---- the run ------------------------------------------------------------------------------------

struct Run {
    jellett: f64,
    /// The largest relative change of J.
    off: f64,
    energies: Vec<f64>,
    /// The axis, at even times.
    axes: Vec<Vector3<f64>>,
}

impl Run {
    fn new(top: &Top, jellett: f64) -> Result<Self, constraint_runtime::Error> {
        let Top { r, alpha, a, c, .. } = *top;
        let mut pose = Rigid3::rotation(Vector3::x() * TILT);
        let axis = pose.rotation * Vector3::z();
        let to_floor = axis * (alpha * r) - Vector3::z() * r;
        pose.translation.vector = -to_floor;
        // The spin about the axis that has this J; the middle is at rest.
        let spin = jellett / (-c * axis.dot(&to_floor));
        let angular = axis * spin;
        let linear = -angular.cross(&(axis * (alpha * r)));
        let start = State::new(
            0.0,
            TopCoordinates { top: pose },
            TopVelocities {
                top: Twist3 { linear, angular },
            },
        );
        let mut run = ContactSimulation::new(*top, start, DormandPrince::new(3e-11, 3e-11))?;
        let (mut energies, mut axes) = (Vec::new(), Vec::new());
        let mut off = 0.0_f64;
        for frame in 0..=FRAMES {
            run.run_until(END * f64::from(frame) / f64::from(FRAMES))?;
            // It never leaves the floor.
            assert_eq!(run.modes(), [RowMode::Closed]);
            let pose = run.coordinates().top;
            let angular = run.velocities().top.angular;
            let axis = pose.rotation * Vector3::z();
            let middle = pose.translation.vector + axis * (alpha * r);
            let momentum = angular * a + axis * ((c - a) * axis.dot(&angular));
            let to_floor = middle - Vector3::z() * r - pose.translation.vector;
            off = off.max((-momentum.dot(&to_floor) / jellett - 1.0).abs());
            energies.push(run.energy());
            axes.push(axis);
        }
        Ok(Self {
            jellett,
            off,
            energies,
            axes,
        })
    }
}

// ---- the figure ---------------------------------------------------------------------------------

/// The ball turned so that its axis is `axis`: its equator and a circle around its pole, and the pole.
fn ball(top: &Top, view: View, axis: Vector3<f64>) -> (Points, (f64, f64)) {
    let turn = UnitQuaternion::rotation_between(&Vector3::z(), &axis);
    let turn = turn
        .unwrap_or_else(|| UnitQuaternion::from_scaled_axis(Vector3::x() * std::f64::consts::PI));
    let place = |height: f64, angle: f64| {
        let (sin, cos) = angle.sin_cos();
        let wide = (1.0 - height * height).sqrt();
        view.flat(turn * Vector3::new(wide * cos, wide * sin, height) * top.r)
    };
    let circle = |height: f64| {
        let points =
            (0..=16).map(move |i| place(height, f64::from(i) * std::f64::consts::TAU / 16.0));
        points.chain([(f64::NAN, f64::NAN)])
    };
    let circles = [0.0, 0.8].into_iter().flat_map(circle).collect();
    (circles, place(1.0, 0.0))
}

fn figure(top: &Top, runs: &[(f64, Run, f64)]) -> [(u32, Vec<Panel>); 2] {
    let view = View::new(0.4, 0.35);
    let colors = [color::BLUE, color::VERMILION];
    let mut drawings = Vec::new();
    let mut chart = Panel::over_time("The axis", "z = cos θ", END);
    for ((part, run, lowest), color) in runs.iter().zip(colors) {
        let balls: Vec<_> = run
            .axes
            .iter()
            .step_by(2)
            .map(|&axis| ball(top, view, axis))
            .collect();
        let outline = (0..=40).map(|i| {
            let (sin, cos) = (f64::from(i) * std::f64::consts::TAU / 40.0).sin_cos();
            (top.r * cos, top.r * sin)
        });
        drawings.push(
            Panel::in_space(format!("J = {part} of the condition"), END)
                .with(Line::curve("", color::GREY, 1.5, outline))
                .with(Line::bars(color, 1.5, balls.iter().map(|it| it.0.clone())))
                .with(Line::dots(
                    color::BLACK,
                    10.0,
                    balls.iter().map(|it| vec![it.1]),
                )),
        );
        let times = (0..=FRAMES).map(|i| END * f64::from(i) / f64::from(FRAMES));
        let heights = times.zip(&run.axes).map(|(t, axis)| (t, axis.z));
        let end = [(0.0, *lowest), (END, *lowest)];
        chart = chart
            .with(Line::curve(format!("J = {part}"), color, 1.5, heights))
            .with(Line::curve("", color::GREY, 1.0, end));
    }
    [(260, drawings), (220, vec![chart])]
}
