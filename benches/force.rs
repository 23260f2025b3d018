//! The generated constraint force of the parabola beside the corrected formula by hand.
//!
//! - `cargo bench -p constraint-benches --bench force`: times and their ratio, one run.
//! - under callgrind with the argument `generated` or `by_hand`: the instructions of 10⁶ calls.

use std::hint::black_box;
use std::time::Instant;

use constraint_runtime::prelude::*;

constraint! {
    struct Parabola;
    |x, y| x*x + 100*y
}

const CALLS: usize = 1_000_000;

/// λ = −(m vx² + x Fx + 50 Fy)/(x² + 2500), f̂ = λ (x, 50).
#[inline]
fn by_hand(
    q: &SVector<f64, 2>,
    v: &SVector<f64, 2>,
    m: f64,
    f: &SVector<f64, 2>,
) -> SVector<f64, 2> {
    let lambda = -(m * v[0] * v[0] + q[0] * f[0] + 50.0 * f[1]) / (q[0] * q[0] + 2500.0);
    SVector::<f64, 2>::new(q[0] * lambda, 50.0 * lambda)
}

#[inline]
fn generated(
    q: &SVector<f64, 2>,
    v: &SVector<f64, 2>,
    m: f64,
    f: &SVector<f64, 2>,
) -> SVector<f64, 2> {
    Parabola
        .particle_force(0.0, q, v, m, f)
        .expect("x² + 2500 does not vanish")
}

type Force = fn(&SVector<f64, 2>, &SVector<f64, 2>, f64, &SVector<f64, 2>) -> SVector<f64, 2>;

#[inline(always)]
fn run(
    force: impl Fn(&SVector<f64, 2>, &SVector<f64, 2>, f64, &SVector<f64, 2>) -> SVector<f64, 2>,
) -> f64 {
    let mut total = 0.0;
    for i in 0..CALLS {
        let q = black_box(SVector::<f64, 2>::new(i as f64 * 1e-4, -1.0));
        let v = black_box(SVector::<f64, 2>::new(2.0, 0.5));
        let f = black_box(SVector::<f64, 2>::new(0.3, -9.81));
        total += force(&q, &v, black_box(1.5), &f).sum();
    }
    total
}

#[inline(never)]
fn run_generated() -> f64 {
    run(generated)
}

#[inline(never)]
fn run_by_hand() -> f64 {
    run(by_hand)
}

fn main() {
    let _: [Force; 2] = [generated, by_hand];
    match std::env::args().nth(1).as_deref() {
        Some("generated") => println!("{}", run_generated()),
        Some("by_hand") => println!("{}", run_by_hand()),
        _ => compare(),
    }
}

fn compare() {
    assert!((run_generated() - run_by_hand()).abs() < 1e-3);
    let least = |run: fn() -> f64| {
        let time = |_| {
            let start = Instant::now();
            black_box(run());
            start.elapsed().as_secs_f64()
        };
        (0..15).map(time).fold(f64::INFINITY, f64::min)
    };
    let (ours, theirs) = (least(run_generated), least(run_by_hand));
    let nanoseconds = |seconds: f64| seconds * 1e9 / CALLS as f64;
    println!(
        "generated {:.3} ns, by hand {:.3} ns a call",
        nanoseconds(ours),
        nanoseconds(theirs)
    );
    println!("ratio {:.3}", ours / theirs);
}
