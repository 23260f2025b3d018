//! A woodpecker descends a pole and pecks: its sleeve jams and slides by turns, in a cycle that repeats itself.
//!
//! The bird hangs by a spring on a sleeve that is wider than the pole. The sleeve jams on an edge while the bird swings; it slides,
//! tilts to the other edge, the beak strikes, and it jams lower down. While it jams nothing moves but the bird, at
//! ω² = c/(J_S + m_S l_G²) about φ₀ = φ_M − m_S g l_G/c, so that one number describes the toy: the amplitude A. A cycle maps A to P(A):
//!
//! ```text
//! A* = P(A*)                                  by Newton's method, with P' by dual numbers through all impacts and modes
//! |P'(A*)| < 1                                the cycle is stable
//! (m_M + m_S) g Δy = work of the contacts     what it loses in height in a cycle
//! ```
//!
//! P' is compared with differences of P, and with how a run approaches the cycle that begins in the state that is published as one of
//! the cycle.
//!
//! # Source
//! C. Glocker, *Dynamik von Starrkörpersystemen mit Reibung und Stößen*, 1995: the model, its data and the state; R. I. Leine,
//! C. Glocker, D. H. van Campen, *Nonlinear dynamics of the woodpecker toy*, Proceedings of DETC 2001: the map of one dimension.
//!
//! Lengths are in metres, times in seconds, masses in kilograms, angles in radians; y counts upwards. Angles are small.

use std::error::Error;

use constraint_runtime::prelude::*;
use constraint_runtime::{RowMode, TransitionKind};
use num_dual::{Dual64, DualNum};

#[path = "../../../../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, color};

system! {
    /// A woodpecker on a sleeve with the edges `low` and `high`.
    pub struct Woodpecker {
        m_sleeve: Real = 0.0003, j_sleeve: Real = 5e-9, m_bird: Real = 0.0045, j_bird: Real = 7e-7,
        c: Real = 0.0056, g: Real = 9.81, e: Real = 0.5, mu: Real = 0.3,
        pole: Real = 0.0025, hole: Real = 0.0031, half: Real = 0.0058,
        to_spring: Real = 0.01, to_bird: Real = 0.015, beak_up: Real = 0.02, beak_out: Real = 0.0201,
    }
    coordinate y, sleeve, bird;
    let rise = velocity(y) + to_spring*velocity(sleeve) + to_bird*velocity(bird);
    kinetic m_sleeve/2*velocity(y)^2 + j_sleeve/2*velocity(sleeve)^2 + m_bird/2*rise^2 + j_bird/2*velocity(bird)^2;
    potential c/2*(bird - sleeve)^2 + m_sleeve*g*y + m_bird*g*(y + to_spring*sleeve + to_bird*bird);
    let along = velocity(y) + hole*velocity(sleeve);
    let pecking = velocity(y) + to_spring*velocity(sleeve) + (to_bird - beak_out)*velocity(bird);
    constraint beak: to_spring + to_bird - beak_out - pole >= beak_up*bird { restitution: e, friction: mu, slip: pecking };
    constraint low: half*sleeve >= pole - hole { friction: mu, slip: along };
    constraint high: half*sleeve <= hole - pole { friction: mu, slip: along };
}

/// A time after which the sleeve jams once more, from the middle of a jam.
const CYCLE: f64 = 0.15;
const TOLERANCE: f64 = 1e-9;
const FRAMES: u32 = 240;
/// φ_S, ẏ and φ_S' that are published as on the cycle, while the lower edge slides.
const PUBLISHED: [f64; 3] = [-0.2788, -0.3411, -7.4583];

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    let (amplitude, slope) = fixed_point()?;
    let differences = [1e-4, -1e-4].map(|d| cycle((amplitude + d).into()).map(|it| it.re));
    let [more, less] = differences;
    let by_differences = (more? - less?) / 2e-4;
    println!("P' by differences of P:                   {by_differences:.10}");
    assert!((by_differences - slope).abs() < 1e-5);
    assert!(slope.abs() < 1.0);
    let one = Cycle::new(amplitude)?;
    one.check();
    check_approach(amplitude, slope)?;
    check_published(&one);
    let path = plot::write_svg("woodpecker", one.figure())?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

// ---- the map ------------------------------------------------------------------------------------

/// φ₀ and ω of the bird while the sleeve jams on its lower edge, and φ_M.
fn swing<T: Real + DualNum>(toy: &Woodpecker<T>) -> [T; 3] {
    let jammed = (toy.pole - toy.hole) / toy.half;
    let inertia = toy.j_bird + toy.m_bird * toy.to_bird * toy.to_bird;
    let middle = jammed - toy.m_bird * toy.g * toy.to_bird / toy.c;
    [middle, DualNum::sqrt(&(toy.c / inertia)), jammed]
}

/// P
fn cycle(amplitude: Dual64) -> Result<Dual64, constraint_runtime::Error> {
    let toy = Woodpecker::default();
    let [middle, omega, jammed] = swing(&toy);
    let zero = Dual64::from(0.0);
    let start = State::new(zero, [zero, jammed, middle - amplitude], [zero; 3]);
    let tolerance = Dual64::from(TOLERANCE);
    let method = DormandPrince::new(tolerance, tolerance);
    let mut run = ContactSimulation::new(toy, start, method)?;
    run.run_until(CYCLE.into())?;
    assert_eq!(run.modes()[1], RowMode::Sticking);
    let State { q, v, .. } = run.state();
    let (x, y) = (q[2] - middle, v[2] / omega);
    Ok(DualNum::sqrt(&(x * x + y * y)))
}

/// A* and P'(A*)
fn fixed_point() -> Result<(f64, f64), constraint_runtime::Error> {
    println!("A/rad               P(A)/rad            P'(A)");
    let mut amplitude = 0.3078;
    loop {
        let mapped = cycle(Dual64::new(amplitude, 1.0))?;
        let [value, slope] = [mapped.re, mapped.eps];
        println!("{amplitude:.12}      {value:.12}      {slope:.10}");
        if (value - amplitude).abs() < 1e-12 {
            return Ok((amplitude, slope));
        }
        amplitude += (value - amplitude) / (1.0 - slope);
    }
}

type Run = ContactSimulation<f64, Woodpecker, DormandPrince<f64>>;

fn run(start: State<Vector3<f64>>) -> Result<Run, constraint_runtime::Error> {
    let method = DormandPrince::new(TOLERANCE, TOLERANCE);
    ContactSimulation::new(Woodpecker::default(), start, method)
}

/// From the published state on, the distance to A* is multiplied by P' in each cycle.
fn check_approach(amplitude: f64, slope: f64) -> Result<(), constraint_runtime::Error> {
    let [middle, omega, jammed] = swing(&Woodpecker::<f64>::default());
    let [bird, fall, swings] = PUBLISHED;
    let mut run = run(State::new(0.0, [0.0, jammed, bird], [fall, 0.0, swings]))?;
    let mut apart = Vec::new();
    for k in 0..4 {
        // In the middle of jams.
        run.run_until(0.033 + 0.146 * f64::from(k))?;
        assert_eq!(run.modes()[1], RowMode::Sticking);
        let State { q, v, .. } = run.state();
        apart.push((q[2] - middle).hypot(v[2] / omega) - amplitude);
    }
    for pair in apart.windows(2) {
        let ratio = pair[1] / pair[0];
        println!("the distance to the cycle is multiplied by {ratio:.4}");
        assert!((ratio - slope).abs() < 0.02, "{ratio}");
    }
    Ok(())
}

// ---- the cycle ----------------------------------------------------------------------------------

struct Cycle {
    toy: Woodpecker,
    impacts: Vec<&'static str>,
    period: f64,
    /// From the middle of one jam to that of the next.
    states: Vec<State<Vector3<f64>>>,
    /// The work of the contacts.
    work: f64,
}

impl Cycle {
    fn new(amplitude: f64) -> Result<Self, constraint_runtime::Error> {
        let toy = Woodpecker::default();
        let [middle, omega, jammed] = swing(&toy);
        let start = State::new(0.0, [0.0, jammed, middle - amplitude], [0.0; 3]);
        let mut once = run(start)?;
        once.run_until(CYCLE)?;
        // The bird has last turned around this long before.
        let State { q, v, .. } = once.state();
        let phase = (v[2] / omega).atan2(middle - q[2]);
        let period = CYCLE - phase / omega;
        let mut run = run(start)?;
        let (mut impacts, mut states) = (Vec::new(), vec![start]);
        for frame in 1..=FRAMES {
            run.run_until_with(period * f64::from(frame) / f64::from(FRAMES), |event| {
                if let TransitionKind::Impact { .. } = event.kind {
                    impacts.push(event.constraint);
                }
            })?;
            states.push(*run.state());
        }
        Ok(Self {
            toy,
            impacts,
            period,
            states,
            work: run.contact_work().sum(),
        })
    }

    fn check(&self) {
        let [first, last] = [self.states[0], self.states[FRAMES as usize]];
        let down = first.q[0] - last.q[0];
        let weight = (self.toy.m_sleeve + self.toy.m_bird) * self.toy.g;
        println!("period {:.9} s, {:.9} mm down", self.period, 1e3 * down);
        println!("impacts: {}", self.impacts.join(", "));
        println!(
            "weight · height {:.9} mJ, work of contacts {:.9} mJ",
            1e3 * weight * down,
            1e3 * self.work
        );
        // It has come back, but for its height.
        let moved = last.q - first.q + Vector3::new(down, 0.0, 0.0);
        assert!(moved.norm() < 1e-9, "{moved}");
        assert!((last.v - first.v).norm() < 1e-7, "{}", last.v);
        assert!((self.work + weight * down).abs() < 1e-8 * weight * down);
        assert_eq!(self.impacts, ["high", "beak", "high", "low", "low"]);
    }
}

/// The published state has four digits, from steps of constant length.
fn check_published(cycle: &Cycle) {
    let [bird, fall, swings] = PUBLISHED;
    // Late in the cycle the bird passes this place while it turns down.
    let passes =
        |it: &&[State<Vector3<f64>>]| it[0].q[2] > bird && it[1].q[2] <= bird && it[0].t > 0.1;
    let pair = cycle.states.windows(2).find(passes).expect("the place");
    let part = (bird - pair[0].q[2]) / (pair[1].q[2] - pair[0].q[2]);
    let [y, turn] = [0, 2].map(|i| pair[0].v[i] + part * (pair[1].v[i] - pair[0].v[i]));
    println!("at φ_S = {bird}: y' = {y:.4} m/s, φ_S' = {turn:.4} 1/s");
    println!("published            {fall:.4}             {swings:.4}");
    assert!((y / fall - 1.0).abs() < 0.01);
    assert!((turn / swings - 1.0).abs() < 0.01);
}

// ---- the figure ---------------------------------------------------------------------------------

impl Cycle {
    fn figure(&self) -> [(u32, Vec<Panel>); 2] {
        // Thirty times slower than in life, in millimetres.
        let seconds = 30.0 * self.period;
        let shown: Vec<_> = self.states.iter().step_by(2).collect();
        let turned = |angle: f64, [x, y]: [f64; 2]| (1e3 * (x - angle * y), 1e3 * (y + angle * x));
        let toy = &self.toy;
        let sleeve = shown.iter().map(|it| -> Points {
            let [w, h] = [toy.hole, toy.half];
            let corners = [[-w, -h], [w, -h], [w, h], [-w, h]];
            let corner = |at: [f64; 2]| turned(it.q[1], at);
            let place = |(x, y): (f64, f64)| (x, y + 1e3 * it.q[0]);
            corners.map(corner).map(place).into()
        });
        let bird = shown.iter().map(|it| -> Points {
            let outline = [
                [0.010, -0.016],
                [0.009, 0.004],
                [0.002, 0.022],
                [-0.005, 0.026],
                [-0.010, 0.022],
                [-toy.beak_out, toy.beak_up],
                [-0.009, 0.017],
                [-0.006, 0.008],
                [-0.007, -0.006],
            ];
            let (x, y) = self.middle(it);
            let place = |(u, w): (f64, f64)| (x + u, y + w);
            outline.map(|at| turned(it.q[2], at)).map(place).into()
        });
        let spring = shown.iter().map(|it| -> Points {
            let (x, y) = turned(it.q[1], [toy.to_spring, 0.0]);
            let down = 1e3 * it.q[0];
            [(0.0, down), (x, y + down), self.middle(it)].into()
        });
        let pole = [[-1.0, 1.0], [1.0, 1.0]].map(|[side, _]| -> Points {
            [
                (1e3 * side * toy.pole, -45.0),
                (1e3 * side * toy.pole, 35.0),
            ]
            .into()
        });
        let [left, right] = pole;
        let drawing = Panel::drawing("A woodpecker", seconds)
            .labels("x in mm", "y in mm")
            .with(Line::curve("", color::GREY, 2.0, left))
            .with(Line::curve("", color::GREY, 2.0, right))
            .with(Line::area(color::ORANGE, sleeve))
            .with(Line::bars(color::BLACK, 1.5, spring))
            .with(Line::area(color::BLUE, bird));
        let phase = self.states.iter().map(|it| (it.q[2], it.v[2]));
        let phase = Panel::new("The cycle of the bird", "φ in rad", "φ' in 1/s").with(Line::curve(
            "",
            color::BLUE,
            1.5,
            phase,
        ));
        let over = |get: fn(&State<Vector3<f64>>) -> f64| -> Points {
            self.states.iter().map(|it| (it.t, get(it))).collect()
        };
        let angles = Panel::over_time("Angles", "φ in rad", seconds)
            .with(Line::curve(
                "sleeve",
                color::ORANGE,
                1.5,
                over(|it| it.q[1]),
            ))
            .with(Line::curve("bird", color::BLUE, 1.5, over(|it| it.q[2])));
        let height = Panel::over_time("Height", "y in mm", seconds).with(Line::curve(
            "",
            color::ORANGE,
            1.5,
            over(|it| 1e3 * it.q[0]),
        ));
        [(330, vec![drawing, phase]), (220, vec![angles, height])]
    }

    /// The bird's centre of mass.
    fn middle(&self, state: &State<Vector3<f64>>) -> (f64, f64) {
        let Woodpecker {
            to_spring, to_bird, ..
        } = self.toy;
        let [y, sleeve, bird] = [state.q[0], state.q[1], state.q[2]];
        (
            1e3 * (to_spring + to_bird),
            1e3 * (y + to_spring * sleeve + to_bird * bird),
        )
    }
}
