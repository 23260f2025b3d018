//! A thin disk that rolls on a horizontal plane without slipping: in circles, wobbling, and falling over.
//!
//! One constraint keeps the disk's lowest point on the ground, two on velocities keep it from slipping; their
//! multipliers are the force of the ground. Steady circles are known in closed form, and so is the wobble about
//! straight rolling: an upright disk faster than v² = g r/3 wobbles at a known frequency, a slower one falls at a
//! known rate. All are derived here from the balance of angular momentum; see [`Circle`] and [`wobble`].
//! Lengths are in metres, times in seconds, masses in kilograms, angles in radians; z counts upwards.

use std::error::Error;
use std::f64::consts::{FRAC_PI_2, TAU};

use constraint_runtime::nalgebra::{Rotation3, UnitQuaternion};
use constraint_runtime::prelude::*;

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, View, color, evenly};

system! {
    /// A thin homogeneous disk whose axis is z of its body.
    pub struct Disk { m: Real = 0.2, r: Real = 0.5, g: Real = 9.81 }

    body disk: Rigid3 { mass: m, inertia: [m*r^2/4, m*r^2/4, m*r^2/2] }
    let center = at(disk, [0, 0, 0]);
    let axis = dir(disk, [0, 0, 1]);
    let to_ground = -r*normalize([0, 0, 1] - axis.z*axis);
    let slip = velocity(center) + cross(angular_velocity(disk), to_ground);

    constraint contact: center.z + to_ground.z == 0;
    constraint rolling: [slip.x, slip.y];
    potential m*g*center.z;
}

type Run = Simulation<Disk, DormandPrince<f64>>;

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    println!("Derived when this program was compiled\n");
    println!("{}", Disk::DERIVATION.entry("solver").text);
    println!("v̇ in {}\n", Disk::DERIVATION.entry("acceleration").cost);
    let circles = [(1.2, 1.0), (0.8, 1.5), (0.3, 6.0)].map(|(tilt, rate)| Circle { tilt, rate });
    let ways = report_circles(&circles)?;
    report_wobbles()?;
    report_falls()?;
    let path = plot::write_svg("rolling_disk", figure(ways)?)?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

/// The disk with its axis at the angle `tilt` from the vertical, its lowest point at the origin.
///
/// `spin` is ω along its axis k, along e, which points up in the disk, and along k×e, the way it rolls; no slip
/// makes the centre move with v = r ω×e.
fn start(disk: Disk, tilt: f64, spin: [f64; 3]) -> Result<Run, constraint_runtime::Error> {
    let turn = Rotation3::from_axis_angle(&Vector3::x_axis(), -tilt);
    let axes = [turn * Vector3::z(), turn * -Vector3::y(), Vector3::x()];
    let [axis, up, ahead] = axes;
    let angular = axis * spin[0] + up * spin[1] + ahead * spin[2];
    let place = Rigid3::from_parts((up * disk.r).into(), UnitQuaternion::from(turn));
    let q = DiskCoordinates { disk: place };
    let linear = angular.cross(&up) * disk.r;
    let v = DiskVelocities {
        disk: Twist3 { linear, angular },
    };
    let run = Simulation::new(
        disk,
        State::new(0.0, q, v),
        DormandPrince::new(1e-12, 1e-12),
    )?;
    Ok(run.with_stabilization(Stabilization::Projection { tolerance: 1e-13 }))
}

/// The z component of the axis, the sine of the lean.
fn lean(q: &SVector<f64, 7>) -> f64 {
    let q = DiskCoordinates::from(*q);
    (q.disk.rotation * Vector3::z()).z
}

// ---------------------------------------------------------------------------------------------
// In circles

/// Steady motion: the disk tilted by α turns about the vertical at the rate Ω, spinning about its axis with ω₃.
///
/// The angular momentum L = C ω₃ k + A Ω sin α e and the velocity r ω₃ k×e turn with Ω, and the ground's force is
/// m (v̇ + g z), at −r e:
///
/// ```text
/// A Ω² sin α cos α − (C + m r²) Ω ω₃ sin α = m g r cos α        A = m r²/4, C = m r²/2
/// ω₃ = ⅔ cos α (Ω/4 − g/(r Ω sin α))
/// ```
struct Circle {
    /// α
    tilt: f64,
    /// Ω
    rate: f64,
}

/// What a run on a circle came to.
struct Circled {
    /// The way of the lowest point.
    way: Vec<(f64, f64)>,
    /// Largest differences of the place in m, of the axis, and of the ground's force in parts of the weight.
    place: f64,
    axis: f64,
    force: f64,
    /// Largest |E/E₀ − 1|.
    energy: f64,
}

impl Circle {
    /// ω₃
    fn spin(&self, disk: &Disk) -> f64 {
        let pull = disk.g / (disk.r * self.rate * self.tilt.sin());
        2.0 / 3.0 * self.tilt.cos() * (self.rate / 4.0 - pull)
    }

    /// Two seconds of rolling.
    fn roll(&self) -> Result<Circled, constraint_runtime::Error> {
        let disk = Disk::default();
        let spin = self.spin(&disk);
        let mut run = start(disk, self.tilt, [spin, self.rate * self.tilt.sin(), 0.0])?;
        let energy = run.energy();
        let (q, v) = (run.coordinates().disk, run.velocities().disk);
        // The circle's centre c: v = Ω z×(x − c)
        let center = q.translation.vector + Vector3::z().cross(&v.linear) / self.rate;
        let axis = q.rotation * Vector3::z();
        let mut circled = Circled {
            way: vec![],
            place: 0.0,
            axis: 0.0,
            force: 0.0,
            energy: 0.0,
        };
        for i in 0..=200 {
            run.run_until(f64::from(i) / 100.0)?;
            let turn = Rotation3::from_axis_angle(&Vector3::z_axis(), self.rate * run.state().t);
            let now = run.coordinates().disk;
            let place = center + turn * (q.translation.vector - center);
            let pull = turn * Vector3::z().cross(&v.linear) * self.rate;
            let force = Vector3::new(disk.g, pull.x, pull.y);
            let off = run.multipliers()?.flat / disk.m - force;
            let largest = |a: &mut f64, b: f64| *a = a.max(b);
            largest(&mut circled.place, (now.translation.vector - place).norm());
            largest(
                &mut circled.axis,
                (now.rotation * Vector3::z() - turn * axis).norm(),
            );
            largest(&mut circled.force, off.norm() / disk.g);
            largest(&mut circled.energy, (run.energy() / energy - 1.0).abs());
            let up = (Vector3::z() - axis * axis.z).normalize();
            let below = now.translation.vector - turn * up * disk.r - center;
            circled.way.push((below.x, below.y));
        }
        Ok(circled)
    }
}

/// The ways of the lowest points.
fn report_circles(circles: &[Circle]) -> Result<Vec<Vec<(f64, f64)>>, constraint_runtime::Error> {
    println!("Steady circles, 2 s; the largest difference from the closed form\n");
    println!("tilt   turning   spin        place    axis     ground's     energy");
    println!("       in 1/s    in 1/s      in m              force/m g    E/E₀ − 1");
    let mut ways = vec![];
    for circle in circles {
        let spin = circle.spin(&Disk::default());
        let Circled {
            way,
            place,
            axis,
            force,
            energy,
        } = circle.roll()?;
        println!(
            "{:<6} {:<9} {spin:<11.6} {place:<8.0e} {axis:<8.0e} {force:<12.0e} {energy:.0e}",
            circle.tilt, circle.rate
        );
        assert!(place < 1e-7 && axis < 1e-7 && force < 1e-7 && energy < 1e-10);
        ways.push(way);
    }
    Ok(ways)
}

// ---------------------------------------------------------------------------------------------
// Straight on

/// ψ̈/ψ of a small lean ψ of a disk that rolls upright with the spin ω₃; −ω² of a wobble, σ² of a fall.
///
/// Linearised about rolling straight on, with χ̇ the rate of turning about the vertical:
///
/// ```text
/// A χ̇ = −C ω₃ ψ,   (A + m r²) ψ̈ = m g r ψ + (C + m r²) ω₃ χ̇        ⇒    ψ̈ = ⅘ (g/r − 3 ω₃²) ψ
/// ```
///
/// It wobbles where ω₃² > g/(3 r), and falls else.
fn wobble(disk: &Disk, spin: f64) -> f64 {
    0.8 * (disk.g / disk.r - 3.0 * spin * spin)
}

/// Upright but for a small lean, which grows at the rate `growth` times itself.
fn leaning_start(lean: f64, spin: f64, growth: f64) -> Result<Run, constraint_runtime::Error> {
    start(
        Disk::default(),
        FRAC_PI_2 - lean,
        [spin, -2.0 * spin * lean, growth * lean],
    )
}

/// √(g/(3 r))
fn threshold() -> f64 {
    let disk = Disk::<f64>::default();
    (disk.g / (3.0 * disk.r)).sqrt()
}

/// Ten periods of the wobble of disks that are fast enough.
fn report_wobbles() -> Result<(), constraint_runtime::Error> {
    println!(
        "\nRolling upright; the threshold is √(g/(3 r)) = {:.6}/s\n",
        threshold()
    );
    println!("spin/threshold   wobble found   √(⅘ (3 ω₃² − g/r))");
    for ratio in [1.01, 1.1, 1.5, 3.0] {
        let spin = ratio * threshold();
        let expected = (-wobble(&Disk::default(), spin)).sqrt();
        let mut passages = vec![];
        leaning_start(1e-5, spin, 0.0)?
            .on(
                Crossing::Falling,
                |state| lean(&state.q),
                |state| {
                    passages.push(state.t);
                    Then::Continue
                },
            )
            .run_until(10.5 * TAU / expected)?;
        let found = 10.0 * TAU / (passages[10] - passages[0]);
        println!("{ratio:<16} {found:<14.8} {expected:.8}");
        assert!((found / expected - 1.0).abs() < 1e-6, "{found} {expected}");
    }
    Ok(())
}

/// The growth of a small lean of disks that are too slow, until it has grown e⁵ times.
fn report_falls() -> Result<(), constraint_runtime::Error> {
    println!("\nspin/threshold   growth found   √(⅘ (g/r − 3 ω₃²))");
    for ratio in [0.0, 0.5, 0.9, 0.99] {
        let spin = ratio * threshold();
        let expected = wobble(&Disk::default(), spin).sqrt();
        let mut run = leaning_start(1e-6, spin, expected)?;
        let before = lean(&run.state().q);
        run.run_until(5.0 / expected)?;
        let found = (lean(&run.state().q) / before).ln() * expected / 5.0;
        println!("{ratio:<16} {found:<14.8} {expected:.8}");
        // Close to the threshold the growth itself vanishes.
        let error = (found - expected) / threshold();
        assert!(error.abs() < 1e-6, "{found} {expected}");
    }
    Ok(())
}

// ---------------------------------------------------------------------------------------------
// The figure

/// Three disks that roll on, leaning by 0.01 at the start: one slower than the threshold, two faster.
fn figure(ways: Vec<Points>) -> Result<[(u32, Vec<Panel>); 2], constraint_runtime::Error> {
    let cases = [
        (0.9, "0.9 of the threshold", color::VERMILION),
        (1.1, "1.1", color::BLUE),
        (2.0, "2.0", color::GREEN),
    ];
    let mut rolling = Panel::in_space("Rolling on at three speeds", ROLLED);
    let mut lean = Panel::over_time("Lean, 0.01 at the start", "lean in rad", ROLLED).share(1.3);
    for ((ratio, label, color), line) in cases.into_iter().zip(0..) {
        let roll = Roll::new(ratio * threshold(), 3.0 * f64::from(line))?;
        let rims = evenly(&roll.rims, 90).cloned();
        rolling = rolling
            .with(Line::trail(color, 1.5, roll.contacts).labelled(label))
            .with(Line::area(color, rims));
        lean = lean.with(Line::curve(label, color, 1.5, roll.leans));
    }
    let colors = [color::BLUE, color::VERMILION, color::GREEN];
    let ways = ways.into_iter().zip(colors);
    let circles = Panel::drawing("Steady circles", 2.0)
        .with_all(ways.map(|(way, color)| Line::trail(color, 1.5, way)));
    Ok([(330, vec![rolling]), (280, vec![lean, circles])])
}

/// How long the disks of the figure roll.
const ROLLED: f64 = 6.0;

/// What the figure shows of a disk.
struct Roll {
    /// Times and leans.
    leans: Points,
    /// The rim with a spoke, and the place on the ground, seen from above at an angle.
    rims: Vec<Points>,
    contacts: Points,
}

impl Roll {
    /// With this spin, `aside` of the first.
    fn new(spin: f64, aside: f64) -> Result<Self, constraint_runtime::Error> {
        let view = View::new(0.0, 0.5);
        let seen = |p: Vector3<f64>| view.flat(p + Vector3::y() * aside);
        let mut roll = Self {
            leans: vec![],
            rims: vec![],
            contacts: vec![],
        };
        let mut run = leaning_start(0.01, spin, 0.0)?;
        for i in 0..=180 {
            run.run_until(ROLLED * f64::from(i) / 180.0)?;
            let disk = run.coordinates().disk;
            let (center, axis) = (disk.translation.vector, disk.rotation * Vector3::z());
            let rim = (0..=24).map(|k| {
                let (sin, cos) = (TAU * f64::from(k) / 24.0).sin_cos();
                center + disk.rotation * Vector3::new(0.5 * cos, 0.5 * sin, 0.0)
            });
            let down = (axis * axis.z - Vector3::z()).normalize();
            roll.leans.push((run.state().t, axis.z.asin()));
            roll.contacts.push(seen(center + down * 0.5));
            roll.rims.push(rim.chain([center]).map(seen).collect());
        }
        Ok(roll)
    }
}
