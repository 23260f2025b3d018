//! A racket thrown spinning about its middle axis: it flips over periodically, like Dzhanibekov's nut.
//!
//! Jacobi's elliptic functions solve Euler's equations of a free body. If the spin is about the axis of the middle
//! moment with a small component about that of the largest, ω₂ is proportional to sn: it vanishes a quarter period
//! after the throw and every half period from then on, and the period is 4 K(m)/p.
//! Lengths are in metres, times in seconds, masses in kilograms.

use std::error::Error;
use std::f64::consts::TAU;

use constraint_runtime::nalgebra::UnitQuaternion;
use constraint_runtime::prelude::*;

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Face, Line, Panel, View, color};

system! {
    /// A racket with its handle along x; nothing pushes it.
    pub struct Racket { m: Real = 0.3, handle: Real = 0.0014, face: Real = 0.0164, across: Real = 0.0175 }

    body racket: Rigid3 { mass: m, inertia: [handle, face, across] }
}

/// About the middle axis and about the largest, in rad/s.
const SPIN: [f64; 2] = [12.0, 0.4];
/// Flips, half periods, that are counted.
const FLIPS: u32 = 20;

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    println!("Derived when this program was compiled\n");
    println!("{}", Racket::DERIVATION.entry("solver").text);
    println!("v̇ in {}\n", Racket::DERIVATION.entry("acceleration").cost);
    let racket = Racket::default();
    let flight = Flight::new(&racket)?;
    flight.report();
    let path = plot::write_svg("tennis_racket", flight.figure())?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

/// The period of ω₂ for I₁ < I₂ < I₃, started at ω₁ = 0:
///
/// ```text
/// T = 4 K(m)/p,  p² = (I₃ − I₂)(L² − 2 E I₁)/(I₁ I₂ I₃),  1 − m = (I₃ − I₁)(L² − 2 E I₂)/((I₃ − I₂)(L² − 2 E I₁))
/// ```
///
/// # Source
/// L. D. Landau, E. M. Lifshitz, *Mechanics*, 3rd ed. (1976), § 37.
fn period(racket: &Racket) -> f64 {
    let [second, third] = SPIN;
    let (a, b, c) = (racket.handle, racket.face, racket.across);
    // L² − 2 E I₁ and L² − 2 E I₂
    let fast = b * (b - a) * second * second + c * (c - a) * third * third;
    let slow = c * (c - b) * third * third;
    let rate = ((c - b) * fast / (a * b * c)).sqrt();
    4.0 * complete_elliptic((c - a) * slow / ((c - b) * fast)) / rate
}

/// K for the complementary parameter 1 − m, by the arithmetic-geometric mean.
fn complete_elliptic(complement: f64) -> f64 {
    let (mut a, mut b) = (1.0_f64, complement.sqrt());
    for _ in 0..10 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::FRAC_PI_2 / a
}

struct Flight {
    /// t and ω in the racket's own frame.
    spins: Vec<(f64, Vector3<f64>)>,
    /// How it is turned at these times.
    turns: Vec<UnitQuaternion<f64>>,
    /// The period as simulated, and in closed form.
    periods: [f64; 2],
    /// Relative changes of the energy and of the angular momentum.
    energy: f64,
    momentum: f64,
}

impl Flight {
    fn new(racket: &Racket) -> Result<Self, constraint_runtime::Error> {
        let expected = period(racket);
        let moments = Vector3::new(racket.handle, racket.face, racket.across);
        let mut velocities = RacketVelocities::default();
        velocities.racket.angular = Vector3::new(0.0, SPIN[0], SPIN[1]);
        let start = State::new(0.0, RacketCoordinates::default(), velocities);
        let mut run = Simulation::new(*racket, start, DormandPrince::new(1e-13, 1e-13))?;
        let inside = |q: RacketCoordinates, v: RacketVelocities| {
            let turn: UnitQuaternion<f64> = q.racket.rotation;
            let spin = turn.inverse() * v.racket.angular;
            (spin, turn * spin.component_mul(&moments))
        };
        let (_, before) = inside(run.coordinates(), run.velocities());
        let energy = run.energy();
        let end = expected * (0.25 + 0.5 * f64::from(FLIPS));
        let (mut spins, mut turns) = (vec![], vec![]);
        for i in 0..=800 {
            run.run_until(end * f64::from(i) / 800.0)?;
            spins.push((run.state().t, inside(run.coordinates(), run.velocities()).0));
            turns.push(run.coordinates().racket.rotation);
        }
        let (spin, after) = inside(run.coordinates(), run.velocities());
        // Where ω₂ vanished, by its slope (I₃ − I₁) ω₃ ω₁/I₂.
        let slope = (racket.across - racket.handle) * spin.z * spin.x / racket.face;
        let crossing = run.state().t - spin.y / slope;
        Ok(Self {
            spins,
            turns,
            periods: [crossing / (0.25 + 0.5 * f64::from(FLIPS)), expected],
            energy: (run.energy() / energy - 1.0).abs(),
            momentum: (after - before).norm() / before.norm(),
        })
    }

    fn report(&self) {
        let [found, expected] = self.periods;
        let off = (found / expected - 1.0).abs();
        println!(
            "Thrown with {SPIN:?} rad/s about the middle and the largest axis, {FLIPS} flips\n"
        );
        println!("period as simulated          {found:.12} s");
        println!("4 K(m)/p                     {expected:.12} s");
        println!("relative difference          {off:.0e}");
        println!("change of the energy         {:.0e}", self.energy);
        println!("of the angular momentum      {:.0e}", self.momentum);
        assert!(off < 1e-8, "{off:e}");
        assert!(self.energy < 1e-10 && self.momentum < 1e-10);
        // It did turn over: ω₂ took both signs at full size.
        let least = self.spins.iter().map(|(_, w)| w.y).fold(0.0, f64::min);
        assert!(least < -0.99 * SPIN[0], "{least}");
    }

    /// The first two periods, one blue and one red side up in turn.
    fn figure(&self) -> [(u32, Vec<Panel>); 1] {
        let [_, period] = self.periods;
        let until = 2.0 * period;
        let shown = || self.spins.iter().take_while(|(t, _)| *t <= until);
        let seconds = 2.0 * until;
        let racket = Panel::in_space("The racket, half as fast", seconds).with(Line::book(
            shown().zip(&self.turns).map(|(_, turn)| vec![seen(turn)]),
        ));
        let line = |label, color, component: usize| {
            Line::curve(label, color, 1.5, shown().map(|(t, w)| (*t, w[component])))
        };
        let spins = Panel::over_time("Angular velocity in its own axes", "ω in rad/s", seconds)
            .with(line("handle", color::BLUE, 0))
            .with(line("middle", color::VERMILION, 1))
            .with(line("largest", color::GREEN, 2));
        [(360, vec![racket, spins])]
    }
}

/// The outline of a racket, seen from one side or the other.
fn seen(turn: &UnitQuaternion<f64>) -> Face {
    let view = View::new(-0.4, 0.3);
    let rim = (0..=24).map(|i| {
        let (sin, cos) = (TAU * (f64::from(i) / 24.0 * 0.94 + 0.53)).sin_cos();
        Vector3::new(0.15 + 0.17 * cos, 0.125 * sin, 0.0)
    });
    let handle = [-0.35, -0.35].into_iter().zip([-0.015, 0.015]);
    let handle = handle.map(|(x, y)| Vector3::new(x, -y, 0.0));
    let outline = rim.chain(handle).map(|it| view.flat(turn * it));
    let front = view.nearness(turn * Vector3::z()) > 0.0;
    Face {
        color: if front { color::BLUE } else { color::VERMILION },
        points: outline.collect(),
    }
}
