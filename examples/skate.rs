//! A skate on a slope: a constraint on velocities that no equation between the coordinates can replace.
//!
//! The blade glides along its own direction and never sideways. Three results are known in closed form. A skate that
//! spins on a slope does not slide down: it moves sideways, along a cycloid. A sleigh on a horizontal plane, whose
//! mass is ahead of its blade, ends up gliding straight from any start (Chaplygin). The force of the blade does no
//! work.
//! Lengths are in metres, times in seconds, masses in kilograms, angles in radians; x counts down the slope.

use std::error::Error;

use constraint_runtime::prelude::*;

#[path = "../constraint-cli/src/run/plot.rs"]
mod plot;

use plot::{Line, Panel, Scale, color};

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
    let path = plot::write_svg("skate", (1600, 620), 2, &panels(&slope, &sleighs))?;
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
    /// The way, y and −x: the slope falls downwards.
    way: Vec<(f64, f64)>,
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
            slope.way.push((q.y, -q.x));
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
    /// The way of the blade.
    way: Vec<(f64, f64)>,
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
        let turned = [0.0, std::f64::consts::FRAC_PI_2 * rate * tau];
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
            sleigh.way.push((q[0], q[1]));
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

fn panels<'a>(slope: &Slope, sleighs: &[Sleigh]) -> [Panel<'a>; 2] {
    let spinning = Panel {
        title: "Spinning on a slope",
        x_label: "y in m",
        y_label: "−x in m, downhill is downwards",
        x: (0.0, 7.0),
        y: (-1.0, 0.5),
        scale: Scale::Linear,
        lines: vec![Line::new("", color::BLUE, 4, slope.way.clone())],
    };
    let labels = ["0.2 m ahead, 3/s", "0.4 m ahead, 3/s", "0.2 m ahead, −6/s"];
    let colors = [color::VERMILION, color::BLUE, color::GREEN];
    let near = |way: &[(f64, f64)]| {
        let inside = |&(x, y): &(f64, f64)| x.abs() < 3.0 && y.abs() < 3.0;
        way.iter().copied().take_while(inside).collect()
    };
    let lines = sleighs.iter().zip(labels).zip(colors);
    let straightening = Panel {
        title: "Sleighs on the level",
        x_label: "x in m",
        y_label: "y in m",
        x: (-3.0, 3.0),
        y: (-3.0, 3.0),
        scale: Scale::Equal,
        lines: lines
            .map(|((sleigh, label), color)| Line::new(label, color, 4, near(&sleigh.way)))
            .collect(),
    };
    [spinning, straightening]
}
