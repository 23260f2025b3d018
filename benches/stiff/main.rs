//! Implicit methods: what stiff motion takes, beside the Radau method of another crate and beside explicit steps.
//!
//! Contenders of one line are timed in turns in one run, the least time of each counts: `cargo bench -p constraint-benches --bench stiff`, and with
//! `-- links` chains alone.
//! Errors are those after each whole second, against explicit steps at the tolerance 10⁻¹², which ask for no derivative.

mod links;
mod steps;
#[path = "../systems/timing.rs"]
mod timing;

#[allow(dead_code, reason = "the system is timed, not what the example prints")]
#[path = "../../examples/governor.rs"]
mod governor;
#[allow(dead_code, reason = "the system is timed, not what the example prints")]
#[path = "../../examples/stiff_bushing.rs"]
mod stiff_bushing;

use constraint_runtime::nalgebra::SVector;
use constraint_runtime::prelude::*;
use differential_equations::linalg::Matrix;
use differential_equations::ode::ODE;
use differential_equations::prelude::{IVP, ImplicitRungeKutta};

use self::governor::Governor;
use self::stiff_bushing::Hung;
use self::timing::{Contender, race};

const SECONDS: u32 = 10;

/// Of Radau's methods, so that each has one that just reaches what is asked.
const TOLERANCES: [f64; 9] = [1e-5, 1e-6, 1e-7, 1e-8, 3e-9, 1e-9, 1e-10, 1e-11, 1e-12];

fn main() {
    if std::env::args().any(|word| word == "links") {
        return links::chains();
    }
    bushing();
    flyball_governor();
    steps::pendulum();
    links::chains();
}

/// A run that moves a state over so many seconds; how many steps that took, and where it led.
type Run<'a, const N: usize> = &'a dyn Fn(f64, u32) -> (usize, SVector<f64, N>);

/// Steps, the largest error after a whole second, and the time that a run takes.
struct Found {
    steps: usize,
    error: f64,
    seconds: f64,
}

impl Found {
    /// The contenders at one tolerance, timed in turns.
    fn of<const N: usize, const M: usize>(
        contenders: [Run<'_, N>; M],
        tolerance: f64,
        error: impl Fn(usize, &SVector<f64, N>) -> f64,
    ) -> [Self; M] {
        let runs = &mut contenders.map(|run| Contender::new(move || run(tolerance, SECONDS)));
        let times = race(runs);
        std::array::from_fn(|i| {
            let run = contenders[i];
            let errors = (1..=SECONDS).map(|second| (second, run(tolerance, second).1));
            let errors = errors.map(|(second, end)| error(second as usize - 1, &end));
            Self {
                steps: run(tolerance, SECONDS).0,
                error: errors.fold(0.0, f64::max),
                seconds: times[i],
            }
        })
    }

    fn print(&self, method: &str, tolerance: f64) {
        let Self {
            steps,
            error,
            seconds,
        } = self;
        println!(
            "| {method} | {tolerance:.0e} | {steps} | {error:.1e} | {:.0} µs |",
            1e6 * seconds
        );
    }
}

/// Moves a system by a method of ours.
fn moved<S, const N: usize>(
    system: S,
    start: State<SVector<f64, N>>,
    method: impl Integrator<Scalar = f64>,
    seconds: u32,
) -> (usize, SVector<f64, N>)
where
    S: System<f64, Q = SVector<f64, N>, V = SVector<f64, N>>,
{
    let mut run = Simulation::new(system, start, method).expect("a start");
    let mut steps = 0;
    run.run_until_with(f64::from(seconds), |_| steps += 1)
        .expect("it moves");
    (steps, run.state().q)
}

/// Where explicit steps lead, second by second.
fn reference<S, const N: usize>(system: S, start: State<SVector<f64, N>>) -> Vec<SVector<f64, N>>
where
    S: System<f64, Q = SVector<f64, N>, V = SVector<f64, N>>,
{
    let mut run =
        Simulation::new(system, start, DormandPrince::new(1e-12, 1e-12)).expect("a start");
    let mut after = |second: u32| {
        run.run_until(f64::from(second)).expect("it moves");
        run.state().q
    };
    (1..=SECONDS).map(&mut after).collect()
}

const TABLE: &str = "| method | tolerance | steps | error | time |\n|---|---|---|---|---|";

/// A pendulum in a bushing of 10⁸ N/m over ten seconds, by Radau's method here and of `differential-equations`: both with
/// the generated ∂v̇/∂(q, v); ours projects onto the rod besides.
fn bushing() {
    println!("\nA pendulum in a bushing, 10 s\n\n{TABLE}");
    let (q, v) = START.split_at(4);
    let [q, v] = [q, v].map(SVector::<f64, 4>::from_column_slice);
    let start = State::new(0.0, q, v);
    let exact = reference(Hung::default(), start);
    let ours = |tolerance, seconds| {
        let radau = Radau5::new(tolerance, tolerance);
        moved(Hung::default(), start, radau, seconds)
    };
    let mut least = [f64::INFINITY; 2];
    for tolerance in TOLERANCES {
        let error = |k: usize, end: &SVector<f64, 4>| (end - exact[k]).norm();
        let found = Found::of([&ours, &theirs], tolerance, error);
        let names = ["`Radau5`", "`differential-equations`"];
        for ((found, name), least) in found.iter().zip(names).zip(&mut least) {
            found.print(name, tolerance);
            if found.error <= 1e-8 {
                *least = least.min(found.seconds);
            }
        }
    }
    let [ours, theirs] = least;
    println!("\nTo 10⁻⁸ m: ours over theirs {:.2}", ours / theirs);
}

const START: [f64; 8] = [0.0, 0.0, 0.6, -0.8, 0.0, 0.0, 0.0, 0.0];

/// The system as equations of `differential-equations`.
struct Packed(Hung<f64>);

impl ODE<f64, [f64; 8]> for Packed {
    fn diff(&self, t: f64, y: &[f64; 8], dy: &mut [f64; 8]) {
        // The crate's functions cannot fail: what fails is no number, and its step is refused.
        self.0.rhs(t, y, dy).unwrap_or_else(|_| dy.fill(f64::NAN));
    }

    fn jacobian(&self, t: f64, y: &[f64; 8], j: &mut Matrix<f64>) {
        let [q, v] = [0, 4].map(|first| SVector::<f64, 4>::from_column_slice(&y[first..first + 4]));
        let found = self.0.linearize(t, &q, &v).map(|found| found.a);
        let a = found.unwrap_or(SMatrix::repeat(f64::NAN));
        for column in 0..8 {
            for row in 0..4 {
                j[(row, column)] = f64::from(u8::from(column == row + 4));
                j[(row + 4, column)] = a[(row, column)];
            }
        }
    }
}

fn theirs(tolerance: f64, seconds: u32) -> (usize, SVector<f64, 4>) {
    // One for each entry: a single number is relaxed once for every entry, and the same for all of them.
    let method = ImplicitRungeKutta::radau5()
        .rtol([tolerance; 8])
        .atol([tolerance; 8])
        .max_steps(1_000_000);
    let solution = IVP::ode(&Packed(Hung::default()), 0.0, f64::from(seconds), START)
        .method(method)
        .solve()
        .expect("it swings");
    let end = solution.y.last().expect("an end");
    let place = SVector::from_column_slice(&end[..4]);
    (solution.steps.accepted, place)
}

/// The governor of the example, ten seconds to 10⁻⁶ relative.
fn flyball_governor() {
    println!("\nA governor, 10 s\n\n{TABLE}");
    let open = std::f64::consts::FRAC_PI_6;
    let turning = 2.0 * std::f64::consts::PI;
    let start = State::new(
        0.0,
        [0.0, open, open, -open.cos()],
        [turning, 0.0, 0.0, 0.0],
    );
    let exact = reference(Governor::default(), start);
    let ours = |tolerance, seconds| {
        let radau = Radau5::new(tolerance, tolerance);
        moved(Governor::default(), start, radau, seconds)
    };
    let mut least = f64::INFINITY;
    for tolerance in TOLERANCES {
        let error =
            |k: usize, end: &SVector<f64, 4>| (end - exact[k]).component_div(&exact[k]).amax();
        let [found] = Found::of([&ours as Run<'_, 4>], tolerance, error);
        found.print("`Radau5`", tolerance);
        if found.error <= 1e-6 {
            least = least.min(found.seconds);
        }
    }
    println!("\nTo 10⁻⁶ relative: {:.2} ms", 1e3 * least);
}
