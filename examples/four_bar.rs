//! A four-bar linkage: a closed loop of a crank, a coupler and a rocker on two fixed pivots.
//!
//! The pins between the bars are particles, and three constraints keep the lengths of the bars; you do not have to cut
//! the loop. One degree of freedom remains, so everything is known in closed form as a function of the crank angle:
//! the rocker angle by Freudenstein's equation, the speed by the energy, the period by an integral. Then a motor turns
//! the crank at constant speed, which is one more constraint; its multiplier is the torque.
//! Lengths are in metres, times in seconds, masses in kilograms, angles in radians; y counts upwards.

use std::cell::Cell;
use std::error::Error;
use std::f64::consts::TAU;

use constraint_runtime::prelude::*;

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, color, evenly};

system! {
    /// A crank at the origin, a rocker at (`ground`, 0), a coupler between their pins.
    pub struct FourBar {
        m: Real = 1, crank: Real = 1, coupler: Real = 3, rocker: Real = 2.5, ground: Real = 3, g: Real = 9.81,
    }

    particle a: Point2 { mass: m }
    particle b: Point2 { mass: m }
    constraint crank_bar: norm(a) == crank;
    constraint coupler_bar: norm(b - a) == coupler;
    constraint rocker_bar: norm(b - [ground, 0]) == rocker;

    potential m*g*(a.y + b.y);
}

system! {
    /// The same linkage with a motor that turns the crank with the angular speed `omega`.
    pub struct DrivenFourBar {
        m: Real = 1, crank: Real = 1, coupler: Real = 3, rocker: Real = 2.5, ground: Real = 3, g: Real = 9.81,
        omega: Real = 5,
    }

    particle a: Point2 { mass: m }
    particle b: Point2 { mass: m }
    constraint crank_bar: norm(a) == crank;
    constraint coupler_bar: norm(b - a) == coupler;
    constraint rocker_bar: norm(b - [ground, 0]) == rocker;
    constraint motor: cross([cos(omega*t), sin(omega*t)], a) == 0;

    potential m*g*(a.y + b.y);
}

/// Angular speed of the crank at the start, and of the motor.
const OMEGA: f64 = 5.0;
const STEP: f64 = 1e-3;
const END: f64 = 10.0;

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    println!("Derived when this program was compiled\n");
    println!(
        "C =\n{}\n\n{}",
        FourBar::DERIVATION.entry("constraint").text,
        FourBar::DERIVATION.entry("solver").text
    );
    println!("v̇ in {}\n", FourBar::DERIVATION.entry("acceleration").cost);
    let free = Free::new()?;
    free.report();
    let driven = Driven::new()?;
    driven.report();
    let path = plot::write_svg("four_bar", figure(&free, &driven))?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

// ---------------------------------------------------------------------------------------------
// In closed form

fn linkage() -> FourBar {
    FourBar::default()
}

/// The linkage at one crank angle.
struct Closed {
    /// The pins.
    pins: [Vector2<f64>; 2],
    /// φ′ = dφ/dθ of the rocker angle φ over the crank angle θ.
    ratio: f64,
}

impl Closed {
    /// Freudenstein's equation, solved for the rocker angle φ by the half angle; the coupler above the ground.
    ///
    /// ```text
    /// k₁ cos φ − k₂ cos θ + k₃ = cos(θ − φ)      k₁ = d/a, k₂ = d/c, k₃ = (a² − b² + c² + d²)/(2 a c)
    /// ```
    ///
    /// # Source
    /// F. Freudenstein, *Approximate synthesis of four-bar linkages*, Trans. ASME 77 (1955).
    fn at(theta: f64) -> Self {
        let FourBar {
            crank: a,
            coupler: b,
            rocker: c,
            ground: d,
            ..
        } = linkage();
        let (sin, cos) = theta.sin_cos();
        let [k1, k2, k3] = [
            d / a,
            d / c,
            (a * a - b * b + c * c + d * d) / (2.0 * a * c),
        ];
        // (k₁ − cos θ) cos φ − sin θ sin φ = k₂ cos θ − k₃
        let (u, w, s) = (k1 - cos, -sin, k2 * cos - k3);
        let phi = w.atan2(u) + (s / u.hypot(w)).acos();
        let pins = [
            Vector2::new(a * cos, a * sin),
            Vector2::new(d + c * phi.cos(), c * phi.sin()),
        ];
        let along = pins[1] - pins[0];
        let coupler = along.y.atan2(along.x);
        let ratio = a * (theta - coupler).sin() / (c * (phi - coupler).sin());
        Self { pins, ratio }
    }

    /// I(θ) of the kinetic energy ½ I θ̇².
    fn inertia(&self) -> f64 {
        let FourBar {
            m, crank, rocker, ..
        } = linkage();
        m * (crank * crank + rocker * rocker * self.ratio * self.ratio)
    }

    fn potential_energy(&self) -> f64 {
        let FourBar { m, g, .. } = linkage();
        m * g * (self.pins[0].y + self.pins[1].y)
    }

    /// θ̇ at the energy E = ½ I θ̇² + V.
    fn speed(&self, energy: f64) -> f64 {
        (2.0 * (energy - self.potential_energy()) / self.inertia()).sqrt()
    }
}

/// ∮ dθ/θ̇ by the trapezoidal rule, which converges exponentially for what is periodic and smooth.
fn time_of_turn(energy: f64) -> f64 {
    let n = 2000;
    let angles = (0..n).map(|i| TAU * f64::from(i) / f64::from(n));
    angles
        .map(|theta| TAU / f64::from(n) / Closed::at(theta).speed(energy))
        .sum()
}

/// With the crank level and turning at `OMEGA`.
fn start() -> State<SVector<f64, 4>> {
    let Closed {
        pins: [a, b],
        ratio,
    } = Closed::at(0.0);
    let FourBar { crank, ground, .. } = linkage();
    let spoke = b - Vector2::new(ground, 0.0);
    let rate = ratio * OMEGA;
    State::new(
        0.0,
        [a.x, a.y, b.x, b.y],
        [0.0, crank * OMEGA, -rate * spoke.y, rate * spoke.x],
    )
}

/// The mean time of a turn, from ten passages of the crank through its start.
fn simulated_time_of_turn() -> Result<f64, constraint_runtime::Error> {
    let (turns, last) = (Cell::new(0), Cell::new(0.0));
    let run = Simulation::new(linkage(), start(), Rk4::new(STEP))?;
    let mut run = run.on(
        Crossing::Rising,
        |state| state.q[1],
        |state| {
            turns.set(turns.get() + 1);
            last.set(state.t);
            if turns.get() < 10 {
                Then::Continue
            } else {
                Then::Stop
            }
        },
    );
    run.run_until(20.0)?;
    Ok(last.get() / f64::from(turns.get()))
}

fn crank_angle(q: &SVector<f64, 4>) -> f64 {
    q[1].atan2(q[0])
}

// ---------------------------------------------------------------------------------------------
// Left to itself

/// Turning under gravity.
struct Free {
    energy: f64,
    /// The mean time of a turn.
    turn: f64,
    /// Crank angle and crank speed over the first turn.
    speeds: Vec<(f64, f64)>,
    /// The way of the coupler's middle, and the pins every 20 ms.
    way: Vec<(f64, f64)>,
    pins: Vec<[Vector2<f64>; 2]>,
    /// Largest differences from the closed form: pins in m, θ̇ in 1/s.
    pins_off: f64,
    speed_off: f64,
    /// Largest |C| in m, and |E − E₀| in J.
    drift: f64,
    energy_off: f64,
}

impl Free {
    fn new() -> Result<Self, constraint_runtime::Error> {
        let mut run = Simulation::new(linkage(), start(), Rk4::new(STEP))?;
        let energy = run.energy();
        let mut free = Self {
            energy,
            turn: simulated_time_of_turn()?,
            speeds: vec![],
            way: vec![],
            pins: vec![],
            pins_off: 0.0,
            speed_off: 0.0,
            drift: 0.0,
            energy_off: 0.0,
        };
        while run.state().t < END {
            run.step()?;
            let State { q, v, .. } = run.state();
            let theta = crank_angle(q);
            let closed = Closed::at(theta);
            let [a, b] = [q.xy(), Vector2::new(q[2], q[3])];
            let speed = (a.x * v[1] - a.y * v[0]) / a.norm_squared();
            free.pins_off = free.pins_off.max((b - closed.pins[1]).norm());
            free.speed_off = free.speed_off.max((speed - closed.speed(energy)).abs());
            free.drift = free.drift.max(run.drift());
            free.energy_off = free.energy_off.max((run.energy() - energy).abs());
            if run.state().t < free.turn {
                free.speeds.push((theta.rem_euclid(TAU), speed));
                let middle = 0.5 * (a + b);
                if free.way.len().is_multiple_of(20) {
                    free.pins.push([a, b]);
                }
                free.way.push((middle.x, middle.y));
            }
        }
        Ok(free)
    }

    fn report(&self) {
        let exact = time_of_turn(self.energy);
        println!("Under gravity for {END} s, RK4 with steps of {STEP} s, projected\n");
        println!("                                   simulated    in closed form");
        println!(
            "time of a turn/s                {:>12.9} {exact:>15.9}",
            self.turn
        );
        println!("\nlargest difference from the closed form at the same crank angle");
        println!("  the rocker's pin              {:>9.0e} m", self.pins_off);
        println!(
            "  the crank's speed             {:>9.0e} 1/s",
            self.speed_off
        );
        println!(
            "largest |C| and |E − E₀|        {:>9.0e} m, {:.0e} J\n",
            self.drift, self.energy_off
        );
        assert!(
            (self.turn / exact - 1.0).abs() < 1e-8,
            "{} instead of {exact} s",
            self.turn
        );
        assert!(self.pins_off < 1e-12 && self.speed_off < 1e-7 && self.drift < 1e-13);
    }
}

// ---------------------------------------------------------------------------------------------
// Driven

/// One turn of the motor.
struct Driven {
    /// Crank angle and torque: from the multiplier, and in closed form.
    torques: [Vec<(f64, f64)>; 2],
}

impl Driven {
    fn new() -> Result<Self, constraint_runtime::Error> {
        let system = DrivenFourBar {
            omega: OMEGA,
            ..Default::default()
        };
        let mut run = Simulation::new(system, start(), Rk4::new(STEP))?;
        let mut torques = [vec![], vec![]];
        while run.state().t < TAU / OMEGA {
            run.step()?;
            let theta = OMEGA * run.state().t;
            // C = |a| sin(angle from the motor to the crank): λ has the lever |a|.
            let torque = run.multipliers()?[3] * system.crank;
            torques[0].push((theta, torque));
            torques[1].push((theta, torque_by_hand(theta)));
        }
        Ok(Self { torques })
    }

    fn report(&self) {
        let [found, exact] = &self.torques;
        let pairs = || {
            found
                .iter()
                .zip(exact)
                .map(|(found, exact)| (found.1, exact.1))
        };
        let off = pairs()
            .map(|(found, exact)| (found - exact).abs())
            .fold(0.0, f64::max);
        let most = pairs().map(|(found, _)| found).fold(0.0, f64::max);
        println!(
            "Driven at {OMEGA}/s, the motor's torque reaches {most:.4} N m; the multiplier differs from"
        );
        println!("½ I′ ω² + V′ by at most {off:.0e} N m.");
        assert!(off < 1e-6, "the torque is off by {off:e} N m");
    }
}

/// The power of the torque is the change of the energy: τ = ½ I′(θ) ω² + V′(θ), by central differences of order 4.
fn torque_by_hand(theta: f64) -> f64 {
    let energy = |shift: f64| {
        let closed = Closed::at(theta + shift);
        0.5 * closed.inertia() * OMEGA * OMEGA + closed.potential_energy()
    };
    let h = 1e-3;
    (8.0 * (energy(h) - energy(-h)) - (energy(2.0 * h) - energy(-2.0 * h))) / (12.0 * h)
}

// ---------------------------------------------------------------------------------------------
// The figure

fn figure(free: &Free, driven: &Driven) -> [(u32, Vec<Panel>); 2] {
    let angles = || (0..=200).map(|i| TAU * f64::from(i) / 200.0);
    let chart = |title, y_label| Panel::new(title, "crank angle θ in rad", y_label);
    let rocker = angles().map(|theta| (theta, Closed::at(theta).ratio));
    let exact = angles().map(|theta| (theta, Closed::at(theta).speed(free.energy)));
    let [torque, by_hand] = driven.torques.clone();
    let seconds = 2.0 * free.turn;
    let bars = |&[a, b]: &[Vector2<f64>; 2]| {
        vec![(0.0, 0.0), (a.x, a.y), (b.x, b.y), (linkage().ground, 0.0)]
    };
    let frames = || evenly(&free.pins, 100).map(bars);
    let drawing = Panel::drawing("The linkage, half as fast", seconds)
        .with(
            Line::trail(color::VERMILION, 2.0, free.way.iter().copied())
                .labelled("middle of the coupler"),
        )
        .with(Line::curve(
            "",
            color::GREY,
            3.0,
            [(0.0, 0.0), (linkage().ground, 0.0)],
        ))
        .with(Line::bars(color::BLACK, 3.0, frames()))
        .with(Line::dots(color::BLUE, 9.0, frames()));
    let rocker = chart("Rocker", "dφ/dθ").with(Line::curve("", color::BLUE, 1.5, rocker));
    let speed = chart("Under gravity", "crank speed in 1/s")
        .with(Line::curve("in closed form", color::ORANGE, 4.0, exact))
        .with(Line::curve(
            "simulated",
            color::BLUE,
            1.5,
            free.speeds.clone(),
        ));
    let torque = chart("Driven evenly", "torque in N m")
        .with(Line::curve("in closed form", color::ORANGE, 4.0, by_hand))
        .with(Line::curve("multiplier", color::BLUE, 1.5, torque));
    [(330, vec![drawing, rocker]), (270, vec![speed, torque])]
}
