//! A skate on a slope: a constraint on velocities that no equation between the coordinates can replace.
//!
//! The blade glides along its own direction and never sideways. Three results are known in closed form. A skate that
//! spins on a slope does not slide down: it moves sideways, along a cycloid. A sleigh on a horizontal plane, whose
//! mass is ahead of its blade, ends up gliding straight from any start (Chaplygin). The force of the blade does no
//! work.
//! Lengths are in metres, times in seconds, masses in kilograms, angles in radians; x counts down the slope.

use std::error::Error;
use std::f64::consts::FRAC_PI_2;

use constraint_runtime::prelude::*;

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Color, Line, Panel, color, evenly};

system! {
    /// A body of mass `m` and moment of inertia `inertia`, with its mass `ahead` of the blade at (x, y).
    pub struct Skate { m: Real = 2, inertia: Real = 0.1, ahead: Real = 0, downhill: Real = 2 }

    coordinate x, y, heading;
    let along = [cos(heading), sin(heading)];
    particle body = [x, y] + ahead*along { mass: m }
    kinetic inertia/2 * velocity(heading)^2;
    potential -m*downhill*body.x;

    constraint blade: cross(along, [velocity(x), velocity(y)]) == 0;
}

const STEP: f64 = 1e-3;
/// Rate of the spin on the slope.
const SPIN: f64 = 1.5;

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    println!("Derived when this program was compiled\n");
    println!(
        "M =\n{}\n\nJ = {}\n",
        Skate::DERIVATION.entry("mass_matrix").text,
        Skate::DERIVATION.entry("jacobian").text
    );
    println!("v̇ in {}\n", Skate::DERIVATION.entry("acceleration").cost);
    let slope = Slope::new()?;
    slope.report();
    let sleighs =
        [(0.2, 3.0), (0.4, 3.0), (0.2, -6.0)].map(|(ahead, rate)| Sleigh::new(ahead, rate));
    let sleighs = sleighs.into_iter().collect::<Result<Vec<_>, _>>()?;
    report_sleighs(&sleighs);
    let path = plot::write_svg("skate", figure(&slope, &sleighs))?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

// ---------------------------------------------------------------------------------------------
// On the slope

/// A skate released on the slope with a spin, and what is known of it:
///
/// ```text
/// θ = ω t    x = a/(2 ω²) sin² ω t    y = a/(2 ω²) (ω t − sin ω t cos ω t)    λ = 2 m a sin ω t
/// ```
///
/// for the acceleration a down the slope; speed (a/ω) sin ω t along the blade.
///
/// # Source
/// J. I. Neimark, N. A. Fufaev, *Dynamics of Nonholonomic Systems* (1972).
struct Slope {
    /// x, y and the heading at each step.
    way: Vec<[f64; 3]>,
    /// Largest differences from the closed form: place in m, force in N.
    place_off: f64,
    force_off: f64,
    /// Largest sideways speed in m/s, and power of the blade in W.
    sideways: f64,
    power: f64,
}

impl Slope {
    fn new() -> Result<Self, constraint_runtime::Error> {
        let skate = Skate::default();
        let start = State::new(0.0, [0.0; 3], [0.0, 0.0, SPIN]);
        let mut run = Simulation::new(skate, start, Rk4::new(STEP))?;
        let mut slope = Self {
            way: vec![],
            place_off: 0.0,
            force_off: 0.0,
            sideways: 0.0,
            power: 0.0,
        };
        for _ in 0..10_000 {
            run.step()?;
            let State { t, q, v } = run.state();
            let (sin, cos) = (SPIN * t).sin_cos();
            let radius = skate.downhill / (2.0 * SPIN * SPIN);
            let exact = Vector2::new(radius * sin * sin, radius * (SPIN * t - sin * cos));
            let force = run.multipliers()?[0];
            let expected = 2.0 * skate.m * skate.downhill * sin;
            slope.place_off = slope.place_off.max((q.xy() - exact).norm());
            slope.force_off = slope.force_off.max((force - expected).abs());
            slope.sideways = slope.sideways.max(run.rate_drift());
            let power = skate.constraint_force(*t, q, v)?.dot(v);
            slope.power = slope.power.max(power.abs());
            slope.way.push((*q).into());
        }
        Ok(slope)
    }

    fn report(&self) {
        println!("Spinning at {SPIN}/s on a slope of 2 m/s², 10 s of RK4 with steps of {STEP} s\n");
        println!(
            "largest difference from the cycloid     {:>8.0e} m",
            self.place_off
        );
        println!(
            "of the blade's force from 2 m a sin ω t {:>8.0e} N",
            self.force_off
        );
        println!(
            "largest sideways speed                  {:>8.0e} m/s",
            self.sideways
        );
        println!(
            "largest power of the blade              {:>8.0e} W\n",
            self.power
        );
        assert!(
            self.place_off < 1e-10 && self.force_off < 1e-10,
            "{} {}",
            self.place_off,
            self.force_off
        );
        assert!(self.sideways < 1e-14 && self.power < 1e-13);
    }
}

// ---------------------------------------------------------------------------------------------
// On the level

/// Chaplygin's sleigh, released spinning on the spot, and what is known of it: with J = I + m a²,
///
/// ```text
/// u̇ = a θ̇²    J θ̈ = −m a u θ̇    ⇒    θ̇ = Ω sech(t/τ),  u = u∞ tanh(t/τ)
/// u∞ = |Ω| √(J/m)    τ = J/(m a u∞)
/// ```
///
/// for the speed u along the blade. In all it turns by π Ω τ/2.
///
/// # Source
/// S. A. Chaplygin, *On the theory of motion of nonholonomic systems* (1911).
struct Sleigh {
    ahead: f64,
    rate: f64,
    /// x, y and the heading at each step.
    way: Vec<[f64; 3]>,
    /// Heading in the end, and in closed form.
    turned: [f64; 2],
    /// Largest difference from the closed form: of u in m/s, of θ̇ in 1/s.
    off: f64,
    /// Largest |E/E₀ − 1|.
    energy: f64,
}

impl Sleigh {
    fn new(ahead: f64, rate: f64) -> Result<Self, constraint_runtime::Error> {
        let skate = Skate {
            ahead,
            downhill: 0.0,
            ..Skate::default()
        };
        let inertia = skate.inertia + skate.m * ahead * ahead;
        let straight = rate.abs() * (inertia / skate.m).sqrt();
        let tau = inertia / (skate.m * ahead * straight);
        let start = State::new(0.0, [0.0; 3], [0.0, 0.0, rate]);
        let mut run = Simulation::new(skate, start, Rk4::new(STEP))?;
        let initial = run.energy();
        let turned = [0.0, FRAC_PI_2 * rate * tau];
        let mut sleigh = Self {
            ahead,
            rate,
            way: vec![],
            turned,
            off: 0.0,
            energy: 0.0,
        };
        // e⁻⁴⁰ of the turn is left in the end.
        while run.state().t < 40.0 * tau {
            run.step()?;
            let State { t, q, v } = run.state();
            let (sin, cos) = q[2].sin_cos();
            let speed = v[0] * cos + v[1] * sin;
            let exact = [straight * (t / tau).tanh(), rate / (t / tau).cosh()];
            sleigh.off = sleigh
                .off
                .max((speed - exact[0]).abs())
                .max((v[2] - exact[1]).abs());
            sleigh.energy = sleigh.energy.max((run.energy() / initial - 1.0).abs());
            sleigh.way.push((*q).into());
        }
        sleigh.turned[0] = run.coordinates().heading;
        Ok(sleigh)
    }
}

fn report_sleighs(sleighs: &[Sleigh]) {
    println!("Chaplygin's sleigh, spun on the spot\n");
    println!("mass        first      turns in all/rad               largest difference    largest");
    println!(
        "ahead/m     θ̇ in 1/s   simulated    π Ω τ/2           in u and θ̇            energy/E₀ − 1"
    );
    for Sleigh {
        ahead,
        rate,
        turned: [found, exact],
        off,
        energy,
        ..
    } in sleighs
    {
        println!("{ahead:<11} {rate:>8} {found:>11.8} {exact:>11.8} {off:>22.0e} {energy:>20.0e}");
        assert!(
            (found - exact).abs() < 1e-8 && *off < 1e-8 && *energy < 1e-9,
            "{found} {exact} {off} {energy}"
        );
    }
}

// ---------------------------------------------------------------------------------------------
// The figure

fn figure(slope: &Slope, sleighs: &[Sleigh]) -> [(u32, Vec<Panel>); 2] {
    // The slope falls downwards.
    let turned: Vec<_> = slope
        .way
        .iter()
        .map(|&[x, y, heading]| [y, x, FRAC_PI_2 - heading])
        .collect();
    let spinning = Panel::drawing("Spinning on a slope, in real time", 10.0)
        .labels("y in m", "x in m, downhill")
        .y(0.7, -0.2)
        .with_all(blade("", color::BLUE, &turned));
    let labels = ["0.2 m ahead, 3/s", "0.4 m ahead, 3/s", "0.2 m ahead, −6/s"];
    let colors = [color::VERMILION, color::BLUE, color::GREEN];
    let lines = sleighs.iter().zip(labels).zip(colors);
    let lines = lines.flat_map(|((it, label), color)| blade(label, color, &it.way[..3000]));
    let straightening = Panel::drawing("Sleighs on the level, half as fast", 6.0).with_all(lines);
    let lines = sleighs.iter().zip(colors).map(|(it, color)| {
        let times = (1..=3000).map(|i| f64::from(i) * STEP);
        Line::curve("", color, 1.5, times.zip(it.way.iter().map(|it| it[2])))
    });
    let heading = Panel::over_time("They turn and then go straight", "heading in rad", 6.0);
    [
        (210, vec![spinning]),
        (330, vec![straightening, heading.with_all(lines)]),
    ]
}

/// The path of a blade, and the blade on it.
fn blade(label: &str, color: Color, way: &[[f64; 3]]) -> [Line; 2] {
    let ends = |&[x, y, heading]: &[f64; 3]| {
        let (sin, cos) = heading.sin_cos();
        [-0.2, 0.2]
            .map(|along| (x + along * cos, y + along * sin))
            .into()
    };
    [
        Line::trail(color, 1.5, way.iter().map(|it| (it[0], it[1]))).labelled(label),
        Line::bars(color, 5.0, evenly(way, 150).map(ends)),
    ]
}
