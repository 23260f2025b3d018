//! 10,000 double pendulums, as rods and by angles: in lanes over one by one, and on two threads over one.
//!
//! `RUSTFLAGS="-C target-cpu=native" cargo bench --bench ensemble`. Contenders take turns, block by block, in one run, so
//! that their ratios hold on a machine that does other things too; of each contender the median counts.

use std::num::NonZero;
use std::time::Instant;

use constraint_runtime::prelude::*;

system! {
    /// Two rods, one hanging from the other.
    pub struct Rods { m: Real = 1, l: Real = 1, g: Real = 9.81 }
    particle upper: Point2 { mass: m }
    particle lower: Point2 { mass: m }
    constraint first: norm(upper) == l;
    constraint second: norm(lower - upper) == l;
    gravity [0, -g];
}

system! {
    /// The same by the angles of the rods from the vertical.
    pub struct Angles { m: Real = 1, l: Real = 1, g: Real = 9.81 }
    coordinate a, b;
    particle upper = [l*sin(a), -l*cos(a)] { mass: m }
    particle lower = [upper.x + l*sin(b), upper.y - l*cos(b)] { mass: m }
    gravity [0, -g];
}

const COPIES: usize = 10_000;
const STEPS: usize = 1000;
const ROUNDS: usize = 5;

/// The angles at which a copy is released.
fn released(i: usize) -> [f64; 2] {
    let x = i as f64;
    [1.0 + 0.5 * (0.7 * x).sin(), 1.5 + 0.5 * (1.3 * x).cos()]
}

fn rods<T: Real>(i: usize) -> (Rods<T>, State<SVector<T, 4>>) {
    let [a, b] = released(i);
    let (x, y) = (a.sin(), -a.cos());
    let q = [x, y, x + b.sin(), y - b.cos()].map(T::lit);
    (
        Rods::default(),
        State::new(T::lit(0.0), q, [T::lit(0.0); 4]),
    )
}

fn angles<T: Real>(i: usize) -> (Angles<T>, State<SVector<T, 2>>) {
    let q = released(i).map(T::lit);
    (
        Angles::default(),
        State::new(T::lit(0.0), q, [T::lit(0.0); 2]),
    )
}

/// Seconds of one run of all copies.
type Run<'a> = Box<dyn Fn() -> f64 + 'a>;

fn timed(run: impl Fn()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

/// A run one by one, one in lanes, and one in lanes on two threads.
macro_rules! runs {
    ($scalar:ty, $copy:ident) => {{
        let method = || Rk4::<$scalar>::new(1e-3);
        let end = STEPS as $scalar * 1e-3;
        let [one, two] = [1, 2].map(|threads| NonZero::new(threads).expect("some"));
        let ensemble = || Ensemble::new(COPIES, |i| Ok($copy::<$scalar>(i)));
        let runs: [Run<'_>; 3] = [
            Box::new(move || {
                let ensemble = ensemble().one_by_one().with_threads(one);
                timed(|| drop(ensemble.run_until(end, method())))
            }),
            Box::new(move || {
                let ensemble = ensemble().with_threads(one);
                timed(|| drop(ensemble.run_until(end, method())))
            }),
            Box::new(move || {
                let ensemble = ensemble().with_threads(two);
                timed(|| drop(ensemble.run_until(end, method())))
            }),
        ];
        runs
    }};
}

fn main() {
    let lines = [
        ("rods, f64x4", runs!(f64, rods)),
        ("rods, f32x8", runs!(f32, rods)),
        ("angles, f64x4", runs!(f64, angles)),
        ("angles, f32x8", runs!(f32, angles)),
    ];
    println!(
        "| {COPIES} double pendulums, RK4, projected | ns a step, one by one | in lanes | lanes over one by one | two threads over one |"
    );
    println!("|---|---|---|---|---|");
    for (name, runs) in lines {
        let mut seconds = [const { Vec::new() }; 3];
        for _ in 0..ROUNDS {
            for (seconds, run) in seconds.iter_mut().zip(&runs) {
                seconds.push(run());
            }
        }
        let [one, lanes, two] = seconds.map(|mut all| {
            all.sort_by(f64::total_cmp);
            all[ROUNDS / 2]
        });
        let step = 1e9 / (COPIES * STEPS) as f64;
        println!(
            "| {name} | {:.1} | {:.1} | {:.2} | {:.2} |",
            one * step,
            lanes * step,
            one / lanes,
            lanes / two
        );
    }
}
