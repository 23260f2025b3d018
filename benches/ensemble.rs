//! 10,000 double pendulums, as rods and by angles: in lanes over one by one, and on two threads over one; beside them the loop
//! that one writes with nalgebra.
//!
//! `RUSTFLAGS="-C target-cpu=native" cargo bench -p constraint-benches --bench ensemble`. Contenders take turns, block by block, in one run, so
//! that their ratios hold on a machine that does other things too; of each contender the median counts.

use std::num::NonZero;
use std::thread;
use std::time::Instant;

use constraint_runtime::ensemble::F64x4;
use constraint_runtime::nalgebra::{Matrix2, Matrix2x4, Vector4};
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

/// C, J and β of two rods of length 1, as the derivation by hand has them: C = |r| − 1, J = rᵀ/|r|, β = |v|²/|r| − (r·v)²/|r|³.
fn rows(q: &Vector4<f64>, v: &Vector4<f64>) -> (Vector2<f64>, Matrix2x4<f64>, Vector2<f64>) {
    let [upper, lower] = [q.fixed_rows::<2>(0), q.fixed_rows::<2>(2)];
    let [slow, fast] = [v.fixed_rows::<2>(0), v.fixed_rows::<2>(2)];
    let (r, s, u) = (lower - upper, upper.norm(), fast - slow);
    let l = r.norm();
    let (a, b) = (upper / s, r / l);
    let jacobian = Matrix2x4::new(a.x, a.y, 0.0, 0.0, -b.x, -b.y, b.x, b.y);
    let bias = Vector2::new(
        (slow.norm_squared() - a.dot(&slow).powi(2)) / s,
        (u.norm_squared() - b.dot(&u).powi(2)) / l,
    );
    (Vector2::new(s - 1.0, l - 1.0), jacobian, bias)
}

/// λ with J Jᵀ λ = b, all masses 1.
fn solved(jacobian: &Matrix2x4<f64>, b: Vector2<f64>) -> Vector2<f64> {
    let matrix: Matrix2<f64> = jacobian * jacobian.transpose();
    let cholesky = matrix.cholesky().expect("the rods are apart");
    cholesky.solve(&b)
}

/// Runge–Kutta of order 4, then one step of Newton onto C = 0 and one onto Ċ = 0.
fn step_by_hand(q: &mut Vector4<f64>, v: &mut Vector4<f64>, h: f64) {
    let slope = |q: Vector4<f64>, v: Vector4<f64>| {
        let gravity = Vector4::new(0.0, -9.81, 0.0, -9.81);
        let (_, jacobian, bias) = rows(&q, &v);
        let lambda = solved(&jacobian, -bias - jacobian * gravity);
        (v, gravity + jacobian.transpose() * lambda)
    };
    let (q1, v1) = slope(*q, *v);
    let (q2, v2) = slope(*q + q1 * (h / 2.0), *v + v1 * (h / 2.0));
    let (q3, v3) = slope(*q + q2 * (h / 2.0), *v + v2 * (h / 2.0));
    let (q4, v4) = slope(*q + q3 * h, *v + v3 * h);
    *q += (q1 + (q2 + q3) * 2.0 + q4) * (h / 6.0);
    *v += (v1 + (v2 + v3) * 2.0 + v4) * (h / 6.0);
    let (value, jacobian, _) = rows(q, v);
    *q -= jacobian.transpose() * solved(&jacobian, value);
    let (_, jacobian, _) = rows(q, v);
    *v -= jacobian.transpose() * solved(&jacobian, jacobian * *v);
}

/// Where a copy is after all steps, by that loop.
fn moved_by_hand(i: usize) -> Vector4<f64> {
    let (_, State { mut q, mut v, .. }) = rods::<f64>(i);
    for _ in 0..STEPS {
        step_by_hand(&mut q, &mut v, 1e-3);
    }
    q
}

/// Nanoseconds a step of the loop by hand and of `Ensemble`, one by one and in lanes, in turns.
fn beside_by_hand() {
    let one = NonZero::new(1).expect("some");
    let ensemble = || Ensemble::new(COPIES, |i| Ok(rods::<f64>(i))).with_threads(one);
    let method = || Rk4::<f64>::new(1e-3);
    let (system, start) = rods::<f64>(7);
    let mut alone = Simulation::new(system, start, method()).expect("a start on its constraints");
    alone.run_until(STEPS as f64 * 1e-3).expect("it swings");
    let apart = (alone.state().q - moved_by_hand(7)).norm();
    assert!(apart < 1e-6, "the loop by hand is {apart:e} off");

    let runs: [Run<'_>; 3] = [
        Box::new(|| timed(|| drop((0..COPIES).map(moved_by_hand).collect::<Vec<_>>()))),
        Box::new(|| {
            timed(|| {
                drop(
                    ensemble()
                        .one_by_one()
                        .run_until(STEPS as f64 * 1e-3, method()),
                )
            })
        }),
        Box::new(|| timed(|| drop(ensemble().run_until(STEPS as f64 * 1e-3, method())))),
    ];
    let [hand, one, lanes] = medians(&runs);
    println!("\n| rods, f64 | ns a step | over the loop by hand |\n|---|---|---|");
    for (name, time) in [
        ("nalgebra, by hand", hand),
        ("`Ensemble`, one by one", one),
        ("in lanes of four", lanes),
    ] {
        println!("| {name} | {time:.1} | {:.2} |", time / hand);
    }
}

/// Nanoseconds a step: the median of the rounds, in which all take turns.
fn medians<const N: usize>(runs: &[Run<'_>; N]) -> [f64; N] {
    let mut seconds = [const { Vec::new() }; N];
    for _ in 0..ROUNDS {
        for (seconds, run) in seconds.iter_mut().zip(runs) {
            seconds.push(run());
        }
    }
    seconds.map(|mut all| {
        all.sort_by(f64::total_cmp);
        all[ROUNDS / 2] * 1e9 / (COPIES * STEPS) as f64
    })
}

/// Seconds of one run of all copies.
type Run<'a> = Box<dyn Fn() -> f64 + 'a>;

fn timed(run: impl Fn()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

/// A run one by one, one in lanes, one in lanes on two threads; and two halves on threads that share nothing, which is
/// what two threads may gain on the machine at hand.
macro_rules! runs {
    ($scalar:ty, $copy:ident) => {{
        let method = || Rk4::<$scalar>::new(1e-3);
        let end = STEPS as $scalar * 1e-3;
        let [one, two] = [1, 2].map(|threads| NonZero::new(threads).expect("some"));
        let ensemble = || Ensemble::new(COPIES, |i| Ok($copy::<$scalar>(i)));
        let runs: [Run<'_>; 4] = [
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
            Box::new(move || {
                let half = |first: usize| {
                    let copy = move |i| Ok($copy::<$scalar>(first + i));
                    let ensemble = Ensemble::new(COPIES / 2, copy).with_threads(one);
                    drop(ensemble.run_until(end, method()));
                };
                timed(|| {
                    thread::scope(|scope| {
                        scope.spawn(|| half(0));
                        half(COPIES / 2);
                    });
                })
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
        "| {COPIES} double pendulums, RK4, projected | ns a step, one by one | in lanes | lanes over one by one | two threads over one | threads that share nothing |"
    );
    println!("|---|---|---|---|---|---|");
    for (name, runs) in lines {
        let [one, lanes, two, apart] = medians(&runs);
        println!(
            "| {name} | {one:.1} | {lanes:.1} | {:.2} | {:.2} | {:.2} |",
            one / lanes,
            lanes / two,
            lanes / apart
        );
    }
    beside_by_hand();
    by_chosen_steps();
}

/// Seconds of a method that chooses its steps, copy by copy as an ensemble runs it, and four copies in the lanes of one
/// simulation, whose steps are tried together.
fn by_chosen_steps() {
    const GROUPS: usize = 500;
    let one = NonZero::<usize>::MIN;
    let method = DormandPrince::new(1e-8, 1e-8);
    let apart = || {
        let ensemble = Ensemble::new(4 * GROUPS, |i| Ok(rods::<f64>(i)));
        drop(ensemble.with_threads(one).run_until(1.0, method));
    };
    let lanes = || {
        for group in 0..GROUPS {
            let starts = [0, 1, 2, 3].map(|lane| rods::<f64>(4 * group + lane).1);
            let q = SVector::<_, 4>::from_fn(|i, _| F64x4::from(starts.map(|start| start.q[i])));
            let v = SVector::<_, 4>::repeat(F64x4::lit(0.0));
            let t = F64x4::lit(0.0);
            let start = State { t, q, v };
            let tolerance = F64x4::lit(1e-8);
            let method = DormandPrince::new(tolerance, tolerance);
            let run = Simulation::new(Rods::default(), start, method);
            let mut run = run.expect("a start on its constraints");
            run.run_until(F64x4::lit(1.0)).expect("it swings");
        }
    };
    let runs: [Run<'_>; 2] = [Box::new(|| timed(apart)), Box::new(|| timed(lanes))];
    let [apart, lanes] = medians(&runs);
    let ratio = apart / lanes;
    println!(
        "\nsteps that the method chooses: four in lanes are {ratio:.2} times as fast as one by one"
    );
}
