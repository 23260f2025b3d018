//! Two legs that walk down a slope by themselves: the simplest walking model.
//!
//! All mass is at the hip, except small masses at the feet. One foot stands while the other swings; at heel strike the front foot
//! stops, without rebound and without slipping, and the rear foot leaves: both follow from one impact of the system with its two feet
//! on the floor. Feet may pass through the floor while the legs pass each other, as in the model. A step, from heel strike to heel
//! strike, maps the angle and the rate of the stance leg: (θ, θ′) ↦ P(θ, θ′). For feet without mass
//!
//! ```text
//! θ⁺ = −θ⁻,   θ′⁺ = θ′⁻ cos 2θ⁻,   φ′⁺ = θ′⁺ (1 − cos 2θ⁺)         φ between the legs
//! ```
//!
//! Fixed points of P are found by Newton's method, with the gradient of P by dual numbers through the run and its impact. Two are
//! published for the slope 0.009, with the eigenvalues of their gradients: a longer step, which is stable, and a shorter one, which
//! is not.
//!
//! # Source
//! M. Garcia, A. Chatterjee, A. Ruina, M. Coleman, *The simplest walking model: stability, complexity, and scaling*, Journal of
//! Biomechanical Engineering 120, 1998; the numbers are those of Garcia's programs for it.
//!
//! Units: the length of a leg, the mass of the hip, and time such that g = 1. Angles are measured from the normal of the slope.

use std::error::Error;

use constraint_runtime::TransitionKind;
use constraint_runtime::nalgebra::{Complex, RealField};
use constraint_runtime::prelude::*;
use num_dual::Dual64;

#[path = "../../../../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, Points, color};

system! {
    /// Two legs on a slope, x downhill; a foot may be `sunk` into the floor.
    pub struct Walker { slope: Real = 0.009, foot: Real = 1e-7, left_sunk: Real = 0, right_sunk: Real = 0, mu: Real = 1 }
    coordinate x, y, left, right;
    particle hip = [x, y] { mass: 1 }
    particle left_foot = hip + [sin(left), -cos(left)] { mass: foot }
    particle right_foot = hip + [sin(right), -cos(right)] { mass: foot }
    gravity [sin(slope), -cos(slope)];
    constraint on_left: left_foot.y >= -left_sunk { friction: mu, slip: velocity(left_foot).x };
    constraint on_right: right_foot.y >= -right_sunk { friction: mu, slip: velocity(right_foot).x };
}

/// A period-one gait as published: θ and θ′ after heel strike, and the eigenvalues of the gradient, by differences there.
struct Gait {
    name: &'static str,
    state: [f64; 2],
    eigenvalues: [Complex<f64>; 2],
}

fn published() -> [Gait; 2] {
    let (real, imaginary) = (-0.191_208_689_499_40, 0.556_333_636_871_06);
    [
        Gait {
            name: "longer steps",
            state: [0.200_310_900_494_83, -0.199_832_472_917_64],
            eigenvalues: [
                Complex::new(real, imaginary),
                Complex::new(real, -imaginary),
            ],
        },
        Gait {
            name: "shorter steps",
            state: [0.193_937_369_606_24, -0.203_866_927_319_62],
            eigenvalues: [Complex::from(4.000), Complex::from(0.459)],
        },
    ]
}

const STEPS: usize = 4;
const FRAMES: u32 = 80;

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    for gait in published() {
        // From three digits.
        let found = fixed_point(gait.state.map(|it| (it * 1e4).round() / 1e4))?;
        let eigenvalues = found.eigenvalues();
        println!("{}, a step takes {:.6}", gait.name, found.period);
        let rows = [
            ("", found.next, eigenvalues),
            ("  published", gait.state, gait.eigenvalues),
        ];
        for (name, [angle, rate], [one, other]) in rows {
            println!("θ = {angle:.9}, θ' = {rate:.9}, eigenvalues {one:.5}, {other:.5}{name}");
        }
        for (value, expected) in found.next.iter().zip(gait.state) {
            assert!((value - expected).abs() < 1e-6, "{value} {expected}");
        }
        for (value, expected) in eigenvalues.iter().zip(gait.eigenvalues) {
            assert!((value - expected).norm() < 5e-3, "{value} {expected}");
        }
        check_gradient(&found)?;
    }
    check_stability()?;
    let path = plot::write_svg("walker", figure()?)?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

/// Differences of P.
fn check_gradient(found: &Step) -> Result<(), constraint_runtime::Error> {
    let width = 1e-5;
    for k in 0..2 {
        let moved = |side: f64| {
            let mut begin = found.next;
            begin[k] += side * width;
            step(begin)
        };
        let [more, less] = [moved(1.0)?, moved(-1.0)?];
        for i in 0..2 {
            let slope = (more[i] - less[i]) / (2.0 * width);
            assert!(
                (slope - found.gradient[i][k]).abs() < 1e-3,
                "{slope} {:?}",
                found.gradient
            );
        }
    }
    Ok(())
}

/// A walker that is pushed a little returns to the longer steps: in the end each step reduces the deviation to |λ| = 0.589 of it.
fn check_stability() -> Result<(), constraint_runtime::Error> {
    let [Gait { state, .. }, _] = published();
    let mut now = [state[0] + 2e-4, state[1]];
    for _ in 0..14 {
        let [angle, rate, _] = step(now)?;
        now = [angle, rate];
    }
    let apart = (now[0] - state[0]).hypot(now[1] - state[1]);
    println!("pushed by 2e-4, 14 steps later {apart:.1e} from the cycle");
    assert!(apart < 1e-5, "{apart}");
    Ok(())
}

// ---- the map ------------------------------------------------------------------------------------

/// A step from heel strike to heel strike.
struct Step {
    /// θ and θ′ of the next stance leg.
    next: [f64; 2],
    /// The gradient of `next`, row by row.
    gradient: [[f64; 2]; 2],
    period: f64,
}

impl Step {
    fn eigenvalues(&self) -> [Complex<f64>; 2] {
        let [[a, b], [c, d]] = self.gradient;
        let (half, determinant) = (0.5 * (a + d), a * d - b * c);
        let root = Complex::from(half * half - determinant).sqrt();
        [root + half, -root + half]
    }
}

/// The time by which the swinging foot has passed the other and is above the floor.
const PASSED: f64 = 2.5;
/// A time after the heel strike.
const STRUCK: f64 = 4.1;
/// A time within which motion is along its tangent.
const LITTLE: f64 = 1e-7;

fn method<T: Real>() -> DormandPrince<T> {
    DormandPrince::new(T::lit(1e-9), T::lit(1e-9))
}

/// The left leg stands, and the right one has just left.
fn start<T: Real + RealField>([angle, rate]: [T; 2]) -> State<SVector<T, 4>> {
    let (sin, cos) = angle.sin_cos();
    let swing = rate * (angle * T::lit(2.0)).cos();
    State::new(
        T::lit(0.0),
        [-sin, cos, angle, -angle],
        [-cos * rate, -sin * rate, rate, swing],
    )
}

/// P, and the time of the step.
fn step<T: Real + RealField>(begin: [T; 2]) -> Result<[T; 3], constraint_runtime::Error> {
    let walker = Walker::<T>::default();
    let passing = Walker {
        right_sunk: T::lit(1.0),
        ..walker
    };
    let mut run = ContactSimulation::new(passing, start(begin), method())?;
    run.run_until(T::lit(PASSED))?;
    let passed = *run.state();
    let mut strike = T::lit(f64::NAN);
    let mut run = ContactSimulation::new(walker, passed, method())?;
    run.run_until_with(T::lit(STRUCK), |event| {
        if let TransitionKind::Impact { .. } = event.kind {
            strike = event.time;
        }
    })?;
    // A little later, and from there back along the tangent.
    let mut run = ContactSimulation::new(walker, passed, method())?;
    let little = T::lit(LITTLE);
    run.run_until(strike + little)?;
    let State { t, q, v } = run.state();
    let a = run.in_mode().acceleration(*t, q, v)?;
    Ok([q[3] - v[3] * little, v[3] - a[3] * little, strike])
}

/// P and its gradient, by dual numbers.
fn whole_step(begin: [f64; 2]) -> Result<Step, constraint_runtime::Error> {
    let along = |i: usize| {
        let part = |k: usize| Dual64::new(begin[k], f64::from(i == k));
        step([part(0), part(1)])
    };
    let [by_angle, by_rate] = [along(0)?, along(1)?];
    Ok(Step {
        next: [by_angle[0].re, by_angle[1].re],
        gradient: [0, 1].map(|row| [by_angle[row].eps, by_rate[row].eps]),
        period: by_angle[2].re,
    })
}

/// Newton's method on P(z) = z.
fn fixed_point(mut at: [f64; 2]) -> Result<Step, constraint_runtime::Error> {
    loop {
        let found = whole_step(at)?;
        let [[a, b], [c, d]] = found.gradient;
        let off = [found.next[0] - at[0], found.next[1] - at[1]];
        if off[0].hypot(off[1]) < 1e-7 {
            return Ok(found);
        }
        // (1 − P′) change = P(z) − z
        let [e, h] = [1.0 - a, 1.0 - d];
        let determinant = e * h - b * c;
        at[0] += (h * off[0] + b * off[1]) / determinant;
        at[1] += (e * off[1] + c * off[0]) / determinant;
    }
}

// ---- the figure ---------------------------------------------------------------------------------

/// Steps in turn, at even times.
fn walk() -> Result<Vec<State<SVector<f64, 4>>>, constraint_runtime::Error> {
    let [Gait { state, .. }, _] = published();
    let [.., period] = step(state)?;
    let walker = Walker::<f64>::default();
    let (mut now, mut states) = (start(state), Vec::new());
    let end = period * STEPS as f64;
    let mut times = (0..FRAMES)
        .map(|i| end * f64::from(i) / f64::from(FRAMES))
        .peekable();
    for k in 0..STEPS {
        let sunk = [f64::from(k % 2 == 1), f64::from(k % 2 == 0)];
        let passing = Walker {
            left_sunk: sunk[0],
            right_sunk: sunk[1],
            ..walker
        };
        let begun = period * k as f64;
        // Just after heel strike the rear foot is still at the floor.
        for (walker, until) in [(passing, begun + PASSED), (walker, begun + period + 0.1)] {
            let mut run = ContactSimulation::new(walker, now, method())?;
            while let Some(time) = times.next_if(|&it| it <= until) {
                run.run_until(time)?;
                states.push(*run.state());
            }
            run.run_until(until)?;
            now = *run.state();
        }
    }
    Ok(states)
}

fn figure() -> Result<[(u32, Vec<Panel>); 2], constraint_runtime::Error> {
    let states = walk()?;
    let seconds = 8.0;
    let foot = |it: &State<SVector<f64, 4>>, leg: usize| {
        (it.q[0] + it.q[leg].sin(), it.q[1] - it.q[leg].cos())
    };
    let leg = |leg: usize| {
        states
            .iter()
            .map(move |it| -> Points { [(it.q[0], it.q[1]), foot(it, leg)].into() })
    };
    let hips = states.iter().map(|it| vec![(it.q[0], it.q[1])]);
    let drawing = Panel::drawing("Walking down a slope of 0.009, seen along it", seconds)
        .labels("x", "y")
        .with(Line::curve("", color::GREY, 3.0, [(-0.6, 0.0), (2.0, 0.0)]))
        .with(Line::bars(color::BLUE, 4.0, leg(2)).labelled("left leg"))
        .with(Line::bars(color::VERMILION, 4.0, leg(3)).labelled("right leg"))
        .with(Line::dots(color::BLACK, 16.0, hips));
    let angle = |leg: usize| states.iter().map(move |it| (it.t, it.q[leg]));
    let chart = Panel::over_time("Legs", "angle in rad", seconds)
        .labels("t", "angle in rad")
        .with(Line::curve("left", color::BLUE, 1.5, angle(2)))
        .with(Line::curve("right", color::VERMILION, 1.5, angle(3)));
    Ok([(300, vec![drawing]), (220, vec![chart])])
}
