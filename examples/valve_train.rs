//! The valve train of an engine: a camshaft whose cam is given by points, two valves, and the forces between them.
//!
//! A periodic spline through nine points is the lift: they are those of a cubic B-spline, so the valve rests on the base
//! circle exactly. The contacts of valves and cams are constraints, and outputs are
//! their forces, which must push: at the speed ω² = min k (p + p₀)/(−m p″) a valve begins to float. The results are
//! compared with a derivation by hand: the spline by its linear equations, N = m ω² p″ + k (p + p₀), and the torque Σ
//! N p′ at constant speed.
//! Lengths are in metres, times in seconds, masses in kilograms, angles in radians.

use std::error::Error;
use std::f64::consts::TAU;

use constraint_runtime::make_consistent;
use constraint_runtime::nalgebra::{DMatrix, DVector};
use constraint_runtime::prelude::*;

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, color, evenly, spring};

system! {
    /// Two valves on springs, each on a cam of one shaft that a motor turns evenly.
    pub struct ValveTrain {
        m: Real = 0.1, k: Real = 30000, preload: Real = 0.006, lift: Real = 0.01, shaft: Real = 0.002,
        lag: [Real; 2] = [0, 1.9], omega: Real = 300,
    }

    fn profile(a) = lift*periodic_spline(
        a,
        [0, 1/2, 1, 3/2, PI, TAU - 3/2, TAU - 1, TAU - 1/2, TAU],
        [1, 0.6, 0.1, 0, 0, 0, 0.1, 0.6, 1]
    );

    /// The angle of the shaft.
    coordinate a;
    /// How far each valve is open.
    coordinate y[2];
    kinetic shaft/2*velocity(a)^2 + sum(i in 0..2: m/2*velocity(y[i])^2);
    potential sum(i in 0..2: k/2*(y[i] + preload)^2);

    constraint contact[i in 0..2]: y[i] == profile(a - lag[i]);
    constraint motor: a == omega*t;

    /// What the cam pushes each valve with.
    output push[i in 0..2] = multiplier(contact[i]);
    /// What the motor turns the shaft with.
    output torque = multiplier(motor);
}

const STEPS: usize = 2000;

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    let by_hand = Cam::new();
    let train = ValveTrain::<f64>::default();
    println!(
        "v̇ in {}\n",
        ValveTrain::DERIVATION.entry("acceleration").cost
    );
    let turn = Turn::new(train)?;
    turn.compare(&train, &by_hand);
    let float = by_hand.speed_of_floating(&train);
    println!("By hand a valve floats from {float:.3}/s on.");
    for (part, floats) in [(0.999, false), (1.001, true)] {
        let found = loses_contact(part * float)?;
        match found {
            Some(angle) => {
                println!("  simulated at {part} of this speed: contact is lost at {angle:.3} rad")
            }
            None => println!("  simulated at {part} of this speed: the cam pushes all the time"),
        }
        assert_eq!(found.is_some(), floats);
    }
    let path = plot::write_svg("valve_train", figure(&turn, &by_hand, &train))?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

// ---------------------------------------------------------------------------------------------
// By hand

/// The periodic cubic spline by its moments, the second derivatives at the points.
struct Cam {
    at: [f64; 9],
    moments: DVector<f64>,
}

const VALUES: [f64; 9] = [1.0, 0.6, 0.1, 0.0, 0.0, 0.0, 0.1, 0.6, 1.0];

impl Cam {
    /// h₋ M₋ + 2 (h₋ + h) M + h M₊ = 6 ((y₊ − y)/h − (y − y₋)/h₋), closed over the period.
    ///
    /// # Source
    /// J. H. Ahlberg, E. N. Nilson, J. L. Walsh, *The Theory of Splines and Their Applications*, 1967.
    fn new() -> Self {
        let half = TAU / 2.0;
        let first = [0.0, 0.5, 1.0, 1.5, half];
        let at = std::array::from_fn(|i| if i < 5 { first[i] } else { TAU - first[8 - i] });
        let n = 8;
        let h = |i: usize| at[i % n + 1] - at[i % n];
        let (mut matrix, mut right) = (DMatrix::zeros(n, n), DVector::zeros(n));
        for i in 0..n {
            let before = (i + n - 1) % n;
            matrix[(i, before)] += h(before);
            matrix[(i, i)] += 2.0 * (h(before) + h(i));
            matrix[(i, (i + 1) % n)] += h(i);
            let slope = |i: usize| (VALUES[i % n + 1] - VALUES[i % n]) / h(i);
            right[i] = 6.0 * (slope(i) - slope(before));
        }
        let moments = matrix
            .lu()
            .solve(&right)
            .expect("the matrix is diagonally dominant");
        Self { at, moments }
    }

    /// p, p′ and p″ for a lift of 1.
    fn derivatives(&self, a: f64) -> [f64; 3] {
        let a = a.rem_euclid(TAU);
        let i = (0..7).take_while(|&i| self.at[i + 1] <= a).count();
        let h = self.at[i + 1] - self.at[i];
        let (left, right) = (self.at[i + 1] - a, a - self.at[i]);
        let [m0, m1] = [self.moments[i], self.moments[(i + 1) % 8]];
        let [y0, y1] = [
            VALUES[i] / h - m0 * h / 6.0,
            VALUES[i + 1] / h - m1 * h / 6.0,
        ];
        [
            (m0 * left.powi(3) + m1 * right.powi(3)) / (6.0 * h) + y0 * left + y1 * right,
            (m1 * right * right - m0 * left * left) / (2.0 * h) + y1 - y0,
            (m0 * left + m1 * right) / h,
        ]
    }

    /// N = m ω² p″ + k (p + p₀) of a cam at an angle, and N p′.
    fn force(&self, train: &ValveTrain, a: f64) -> [f64; 2] {
        let [p, slope, bend] = self.derivatives(a).map(|it| it * train.lift);
        let n = train.m * train.omega * train.omega * bend + train.k * (p + train.preload);
        [n, n * slope]
    }

    /// The least ω with N = 0, found at both ends of each piece, between which p″ is linear, and on a fine grid.
    fn speed_of_floating(&self, train: &ValveTrain) -> f64 {
        let squares = (0..100_000).filter_map(|i| {
            let [p, _, bend] = self
                .derivatives(TAU * f64::from(i) / 1e5)
                .map(|it| it * train.lift);
            (bend < 0.0).then(|| train.k * (p + train.preload) / (-train.m * bend))
        });
        squares.fold(f64::INFINITY, f64::min).sqrt()
    }
}

// ---------------------------------------------------------------------------------------------
// Simulated

/// The shaft at 0, the valves where the cams have them, all moving as they must.
fn start(train: &ValveTrain) -> Result<State<SVector<f64, 3>>, constraint_runtime::Error> {
    let velocities = [train.omega, 0.0, 0.0];
    make_consistent(train, State::new(0.0, [0.0, 0.0, 0.0], velocities))
}

/// One turn: angle, forces of both cams, torque.
struct Turn {
    told: Vec<(f64, [f64; 2], f64)>,
}

impl Turn {
    fn new(train: ValveTrain) -> Result<Self, constraint_runtime::Error> {
        let step = TAU / train.omega / STEPS as f64;
        let mut run = Simulation::new(train, start(&train)?, Rk4::new(step))?;
        let mut told = Vec::with_capacity(STEPS);
        for _ in 0..STEPS {
            run.step()?;
            let outputs = run.outputs()?;
            told.push((run.coordinates().a, outputs.push, outputs.torque));
        }
        Ok(Self { told })
    }

    fn compare(&self, train: &ValveTrain, cam: &Cam) {
        let (mut off, mut most) = ([0.0_f64; 2], [0.0_f64; 2]);
        for &(a, push, torque) in &self.told {
            let by_hand = [0, 1].map(|i| cam.force(train, a - train.lag[i]));
            for i in 0..2 {
                off[0] = off[0].max((push[i] - by_hand[i][0]).abs());
                most[0] = most[0].max(push[i]);
            }
            off[1] = off[1].max((torque - by_hand[0][1] - by_hand[1][1]).abs());
            most[1] = most[1].max(torque);
        }
        let omega = train.omega;
        println!(
            "At {omega}/s the cams push with up to {:.1} N, the motor with {:.2} N m;",
            most[0], most[1]
        );
        println!(
            "they differ from the forces derived by hand by {:.0e} N and {:.0e} N m.\n",
            off[0], off[1]
        );
        assert!(
            off[0] < 1e-9 * most[0] && off[1] < 1e-9 * most[1],
            "{off:?}"
        );
    }
}

/// The angle at which a valve leaves its cam at a speed, if it does within a turn.
fn loses_contact(omega: f64) -> Result<Option<f64>, constraint_runtime::Error> {
    let train = ValveTrain {
        omega,
        ..Default::default()
    };
    let least = |state: &State<SVector<f64, 3>>| {
        let told = train.outputs(state.t, &state.q, &state.v);
        told.map_or(f64::NAN, |it| it.push[0].min(it.push[1]))
    };
    let step = TAU / omega / STEPS as f64;
    let mut run =
        Simulation::new(train, start(&train)?, Rk4::new(step))?.until(Crossing::Falling, least);
    let arrival = run.run_until(TAU / omega)?;
    Ok((arrival == Arrival::Event(0)).then(|| run.coordinates().a))
}

// ---------------------------------------------------------------------------------------------
// The figure

/// Seconds that a turn of the shaft takes in the figure.
const SHOWN: f64 = 6.0;

fn figure(turn: &Turn, cam: &Cam, train: &ValveTrain) -> [(u32, Vec<Panel>); 2] {
    let angles = || (0..=400).map(|i| TAU * f64::from(i) / 400.0);
    let lift =
        |lag: f64| angles().map(move |a| (a, 1e3 * train.lift * cam.derivatives(a - lag)[0]));
    let push = |i: usize| turn.told.iter().map(move |it| (it.0, it.1[i]));
    let by_hand = angles().map(|a| (a, cam.force(train, a)[0]));
    let chart = |title, y_label| {
        Panel::new(title, "angle of the shaft in rad", y_label).passed((0.0, TAU), SHOWN)
    };
    let lifts = chart("Lift", "lift in mm")
        .with(Line::curve(
            "first valve",
            color::BLUE,
            1.5,
            lift(train.lag[0]),
        ))
        .with(Line::curve(
            "second valve",
            color::GREEN,
            1.5,
            lift(train.lag[1]),
        ));
    let pushes = chart("Force of the cams", "force in N")
        .with(Line::curve("by hand", color::ORANGE, 4.0, by_hand))
        .with(Line::curve("first valve", color::BLUE, 1.5, push(0)))
        .with(Line::curve("second valve", color::GREEN, 1.5, push(1)));
    let title = format!(
        "One turn of the shaft, {:.0} times as slow",
        SHOWN * train.omega / TAU
    );
    let mut drawing = Panel::drawing(title, SHOWN).labels("x in mm", "y in mm");
    for (i, color) in [color::BLUE, color::GREEN].into_iter().enumerate() {
        let angles: Vec<f64> = angles().collect();
        let pictures = evenly(&angles, 73).map(|a| valve(cam, a - train.lag[i], 60.0 * i as f64));
        let (cams, valves): (Vec<_>, Vec<_>) = pictures.unzip();
        drawing = drawing
            .with(Line::area(color, cams))
            .with(Line::bars(color::BLACK, 2.0, valves));
    }
    [(360, vec![drawing]), (260, vec![lifts, pushes])]
}

/// A cam on a base circle of 15 mm, turned by an angle, and the valve that its top lifts, with its spring.
fn valve(cam: &Cam, angle: f64, aside: f64) -> (Points, Points) {
    let outline = (0..48).map(|i| {
        let around = TAU * f64::from(i) / 48.0;
        let radius = 15.0 + 10.0 * cam.derivatives(around)[0];
        let (sin, cos) = (around - angle).sin_cos();
        (aside + radius * sin, radius * cos)
    });
    let top = 15.0 + 10.0 * cam.derivatives(angle)[0];
    let plate = [(-6.0, top), (6.0, top), (0.0, top)];
    let spring = spring((0.0, top), (0.0, 55.0), 10.0);
    let valve = plate
        .into_iter()
        .chain(spring)
        .chain([(-6.0, 55.0), (6.0, 55.0)]);
    (
        outline.collect(),
        valve.map(|(x, y)| (aside + x, y)).collect(),
    )
}
