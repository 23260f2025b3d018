//! A chain of 64 rigid links, hanging: 128 coordinates and 64 constraints, solved in time proportional to the number
//! of links.
//!
//! Two properties of such chains are known in closed form. At rest, every link carries the weight below it. Small
//! swings of n equal beads have the frequencies ω² = x g/l for the n zeros x of the Laguerre polynomial Lₙ, in shapes
//! where bead j, counted from the lower end, is deflected by L_j(x). Finally the chain is released from the horizontal
//! and falls.
//! Lengths are in metres, times in seconds, masses in kilograms; y counts upwards.

use std::error::Error;
use std::f64::consts::TAU;

use constraint_runtime::prelude::*;

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, color, evenly};

system! {
    /// A chain of 64 rigid links that hangs from the origin.
    pub struct Chain { m: Real = 0.01, l: Real = 0.03125, g: Real = 9.81 }

    particle bead[64]: Point2 { mass: m }

    constraint anchor: norm(bead[0]) == l;
    for i in 1..64 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
    for i in 0..64 { potential m*g*bead[i].y; }
}

/// Links.
const N: usize = 64;
const STEP: f64 = 5e-4;
/// How long the chain falls.
const END: f64 = 0.55;

type Run = Simulation<Chain, Rk4<f64>>;

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    println!("Derived when this program was compiled\n");
    println!("{}", Chain::DERIVATION.entry("solver").text);
    println!("v̇ in {}\n", Chain::DERIVATION.entry("acceleration").cost);
    compare_tension()?;
    compare_modes()?;
    let fall = Fall::new()?;
    fall.report();
    let path = plot::write_svg("hanging_chain", figure(&fall))?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

/// The chain at rest, with beads at multiples of the links' `directions` from the anchor.
fn at_rest(directions: impl Fn(usize) -> Vector2<f64>) -> State<SVector<f64, 128>> {
    let length = Chain::<f64>::default().l;
    let mut end = Point2::origin();
    let bead = std::array::from_fn(|i| {
        end += directions(i).normalize() * length;
        end
    });
    State::new(0.0, ChainCoordinates { bead }, ChainVelocities::default())
}

// ---------------------------------------------------------------------------------------------
// At rest

/// Every link of the chain at rest carries the weight below it.
fn compare_tension() -> Result<(), Box<dyn Error>> {
    let chain = Chain::<f64>::default();
    let State { t, q, v } = at_rest(|_| -Vector2::y());
    let lambda = chain.multipliers(t, &q, &v)?;
    let mut worst = 0.0_f64;
    for i in 0..N {
        // +λ pushes the ends of a link apart: tension is −λ.
        let weight = (N - i) as f64 * chain.m * chain.g;
        worst = worst.max((-lambda[i] / weight - 1.0).abs());
    }
    println!(
        "At rest, link and anchor carry the weight below, with a relative error of {worst:.0e};"
    );
    println!("the anchor carries {:.4} N.\n", -lambda[0]);
    assert!(worst < 1e-12, "a link is off by {worst:e}");
    Ok(())
}

// ---------------------------------------------------------------------------------------------
// Small swings

/// L₀(x) … Lₙ(x), by (k + 1) L_{k+1} = (2k + 1 − x) L_k − k L_{k−1}.
fn laguerre(x: f64) -> [f64; N + 1] {
    let mut values = [1.0; N + 1];
    values[1] = 1.0 - x;
    for i in 1..N {
        let k = i as f64;
        values[i + 1] = ((2.0 * k + 1.0 - x) * values[i] - k * values[i - 1]) / (k + 1.0);
    }
    values
}

/// The zero of Lₙ near `x`, by Newton's method with x L′ₙ = n (Lₙ − Lₙ₋₁).
fn zero_near(mut x: f64) -> f64 {
    for _ in 0..20 {
        let values = laguerre(x);
        x -= values[N] * x / (N as f64 * (values[N] - values[N - 1]));
    }
    x
}

/// The first zeros of the Bessel function J₀: ω = j/2 √(g/L) for an even rope of length L.
const BESSEL_ZEROS: [f64; 3] = [
    2.404_825_557_695_773,
    5.520_078_110_286_311,
    8.653_727_912_911_013,
];

/// The three slowest modes, each released from rest and timed to the first pass of the lower end.
fn compare_modes() -> Result<(), Box<dyn Error>> {
    let chain = Chain::<f64>::default();
    println!("ω of small swings, in 1/s\n");
    println!("mode    simulated       √(x g/l), Lₙ(x) = 0    relative error    uniform rope");
    for (mode, bessel) in (1..).zip(BESSEL_ZEROS) {
        let x = zero_near(bessel * bessel / (4.0 * N as f64 + 2.0));
        let exact = (x * chain.g / chain.l).sqrt();
        let rope = bessel / 2.0 * (chain.g / (chain.l * N as f64)).sqrt();
        let found = frequency(x)?;
        let error = found / exact - 1.0;
        println!("{mode:<4} {found:>12.8} {exact:>21.8} {error:>20.0e} {rope:>18.4}");
        assert!(error.abs() < 1e-7, "mode {mode} is off by {error:e}");
    }
    println!();
    Ok(())
}

/// ω of the chain let go in the shape of the mode of the zero `x`.
fn frequency(x: f64) -> Result<f64, constraint_runtime::Error> {
    let shape = laguerre(x);
    // Slopes of 10⁻⁴ at the lower end: the frequency of a swing errs by their square.
    let slope = |i: usize| 1e-4 / x * (shape[N - 1 - i] - shape[N - i]);
    let start = at_rest(|i| Vector2::new(slope(i), -(1.0 - slope(i) * slope(i)).sqrt()));
    let mut run = Simulation::new(Chain::default(), start, Rk4::new(STEP))?;
    loop {
        run.step()?;
        let (place, velocity) = (run.coordinates().bead[N - 1], run.velocities().bead[N - 1]);
        if place.x <= 0.0 {
            // A quarter of the period; one Newton step, for the acceleration vanishes there.
            return Ok(TAU / 4.0 / (run.state().t - place.x / velocity.x));
        }
    }
}

// ---------------------------------------------------------------------------------------------
// The fall of a folded chain

/// The chain hangs from both ends, folded in the middle, until one end is let go.
struct Fall {
    /// Time and depth of the tip below its start.
    tip: Vec<(f64, f64)>,
    /// Shapes at times 10 ms apart.
    shapes: Vec<Points>,
    /// Largest |C|, in m.
    drift: f64,
    /// Largest |E/E₀ − 1|.
    energy: f64,
}

impl Fall {
    fn new() -> Result<Self, constraint_runtime::Error> {
        let start = at_rest(|i| match i {
            0..32 => -Vector2::y(),
            32 => Vector2::x(),
            _ => Vector2::y(),
        });
        let height = ChainCoordinates::from(start.q).bead[N - 1].y;
        let mut run: Run = Simulation::new(Chain::default(), start, Rk4::new(STEP / 5.0))?;
        let initial = run.energy();
        let mut fall = Self {
            tip: vec![(0.0, 0.0)],
            shapes: vec![shape(&run)],
            drift: 0.0,
            energy: 0.0,
        };
        for i in 1..=(END / 0.001) as u32 {
            run.run_until(0.001 * f64::from(i))?;
            let t = run.state().t;
            fall.tip.push((t, height - run.coordinates().bead[N - 1].y));
            fall.drift = fall.drift.max(run.drift());
            fall.energy = fall.energy.max((run.energy() / initial - 1.0).abs());
            if i % 10 == 0 {
                fall.shapes.push(shape(&run));
            }
        }
        Ok(fall)
    }

    /// When the tip has fallen so deep, between two samples on a line.
    fn time_at(&self, depth: f64) -> f64 {
        let reached = self.tip.iter().position(|sample| sample.1 >= depth);
        let after = reached.expect("the tip falls that deep");
        let [(t0, y0), (t1, y1)] = [self.tip[after - 1], self.tip[after]];
        t0 + (t1 - t0) * (depth - y0) / (y1 - y0)
    }

    fn report(&self) {
        let Chain { l, g, .. } = Chain::<f64>::default();
        println!(
            "Folded, one end released: time until the tip has fallen by a fraction of the length\n"
        );
        println!("fraction    simulated/s    uniform/s    free fall/s");
        for u in [0.25, 0.5, 0.75, 0.9] {
            let depth = u * l * N as f64;
            let (found, even, free) = (
                self.time_at(depth),
                time_of_fall(u),
                (2.0 * depth / g).sqrt(),
            );
            println!("{u:<8} {found:>14.4} {even:>12.4} {free:>14.4}");
            // 64 links are an even chain to about one part in 64.
            assert!(
                (found / even - 1.0).abs() < 0.02,
                "{found} s instead of {even} s"
            );
            assert!(found < free, "the strand that hangs must pull the tip down");
        }
        let (drift, energy) = (self.drift, self.energy);
        println!("\n|C| stays below {drift:.0e} m, the energy within {energy:.0e} of its start.");
        assert!(drift < 1e-13 && energy < 1e-4);
    }
}

/// The beads from the anchor on, x and y.
fn shape(run: &Run) -> Points {
    let beads = run.coordinates().bead;
    std::iter::once((0.0, 0.0))
        .chain(beads.iter().map(|bead| (bead.x, bead.y)))
        .collect()
}

/// When the tip of an even folded chain of length L has fallen the part `u` of it.
///
/// The falling strand takes all the energy: ẋ² = g x (2L − x)/(L − x), with x = L u, and u = w² takes
/// away the singularity of the integral at the start.
///
/// # Source
/// M. G. Calkin, R. H. March, *The dynamics of a falling chain: I*, Am. J. Phys. 57 (1989).
fn time_of_fall(u: f64) -> f64 {
    let Chain { l, g, .. } = Chain::<f64>::default();
    let steps = 1000;
    let h = u.sqrt() / f64::from(steps);
    let sum: f64 = (0..steps)
        .map(|i| {
            let u = (h * (f64::from(i) + 0.5)).powi(2);
            2.0 * ((1.0 - u) / (2.0 - u)).sqrt()
        })
        .sum();
    (l * N as f64 / g).sqrt() * sum * h
}

// ---------------------------------------------------------------------------------------------
// The figure

fn figure(fall: &Fall) -> [(u32, Vec<Panel>); 1] {
    let seconds = 10.0 * END;
    let still = evenly(&fall.shapes, 6)
        .map(|shape| Line::curve("", color::GREY, 1.0, shape.iter().copied()));
    let tip = |shape: &Points| vec![shape[N]];
    let drawing = Panel::drawing("A tenth as fast", seconds)
        .share(0.6)
        .with_all(still)
        .with(Line::bars(color::BLACK, 2.5, fall.shapes.clone()))
        .with(Line::dots(
            color::VERMILION,
            9.0,
            fall.shapes.iter().map(tip),
        ));
    let rope = (0..=100)
        .map(|i| 0.01 * f64::from(i))
        .map(|u| (time_of_fall(u), 2.0 * u));
    let free = fall.tip.iter().map(|&(t, _)| (t, 0.5 * 9.81 * t * t));
    let tip = Panel::over_time("Fall of its end", "depth in m", seconds)
        .with(Line::curve("even chain", color::ORANGE, 4.0, rope))
        .with(Line::curve(
            "64 links",
            color::VERMILION,
            1.5,
            fall.tip.clone(),
        ))
        .with(Line::curve("free fall", color::GREY, 1.5, free));
    [(400, vec![drawing, tip])]
}
