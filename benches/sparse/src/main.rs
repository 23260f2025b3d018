//! Accelerations of nets and ladders of beads and rods beside a sparse Cholesky by faer: `cargo run --release` in this folder.
//!
//! faer knows the pattern and its order (approximate minimum degree) beforehand. Its first column is the whole acceleration,
//! the matrix assembled over lists of coupled rods; its second nothing but the numeric factorisation and the solution.
//! Contenders of a line take turns, so that what else the machine does meets all alike; the least of the turns counts.

mod generated;
mod sparse;

use std::hint::black_box;
use std::time::{Duration, Instant};

use constraint_runtime::{Vector, prelude::*};
use generated::*;
use sparse::Rods;

/// Length of a rod.
const LENGTH: f64 = 0.5;
const TURNS: usize = 41;
const TURN: Duration = Duration::from_micros(800);

fn main() {
    std::thread::Builder::new()
        .stack_size(1 << 28)
        .spawn(tables)
        .expect("a thread")
        .join()
        .expect("no contender fails");
}

fn tables() {
    println!(
        "| net | rows | generated | written out | in panels | faer | faer, factor and solve |"
    );
    println!("|---|---|---|---|---|---|---|");
    net(
        4,
        &Net4::default(),
        Some(&Net4::default()),
        Some(&Net4Panels::default()),
    );
    net(
        5,
        &Net5::default(),
        Some(&Net5Written::default()),
        Some(&Net5Panels::default()),
    );
    net(
        6,
        &Net6::default(),
        Some(&Net6Written::default()),
        Some(&Net6Panels::default()),
    );
    net(
        8,
        &Net8::default(),
        Some(&Net8Written::default()),
        Some(&Net8Panels::default()),
    );
    net(
        10,
        &Net10::default(),
        Some(&Net10Written::default()),
        Some(&Net10Panels::default()),
    );
    net(16, &Net16::default(), None::<&Net16>, None::<&Net16>);
    net(32, &Net32::default(), None::<&Net32>, None::<&Net32>);
    println!("\n| ladder | rows | generated | a row | faer | a row |");
    println!("|---|---|---|---|---|---|");
    ladder(16, &Ladder16::default());
    ladder(256, &Ladder256::default());
    ladder(4096, &Ladder4096::default());
}

type Once<'a> = Box<dyn FnMut() + 'a>;

/// Seconds a call of each.
fn race(contenders: &mut [Once<'_>]) -> Vec<f64> {
    let mut least = vec![f64::INFINITY; contenders.len()];
    for _ in 0..TURNS {
        for (once, least) in contenders.iter_mut().zip(&mut least) {
            let (start, mut calls) = (Instant::now(), 0);
            while start.elapsed() < TURN {
                let start = Instant::now();
                for _ in 0..4 {
                    once();
                }
                calls += 1;
                *least = least.min(start.elapsed().as_secs_f64() / 4.0);
            }
            black_box(calls);
        }
    }
    least
}

/// The generated acceleration, which agrees with faer's.
fn ours<'a, S: Dynamics<f64>>(system: &'a S, rods: &mut Rods) -> Once<'a> {
    let mut state = (S::Q::blank(), S::V::blank());
    let [q, v] = rods.state();
    state.0.entries_mut().copy_from_slice(&q);
    state.1.entries_mut().copy_from_slice(&v);
    let found = system.acceleration(0.0, &state.0, &state.1);
    let found = found.expect("the net is regular");
    let expected = rods.acceleration(&q, &v).to_vec();
    let largest = expected.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    for (found, expected) in found.entries().iter().zip(&expected) {
        assert!(
            (found - expected).abs() < 1e-9 * largest,
            "{found} {expected}"
        );
    }
    Box::new(move || {
        let (q, v) = black_box(&state);
        black_box(&system.acceleration(0.0, q, v))
            .as_ref()
            .expect("it is regular");
    })
}

fn net(
    n: usize,
    system: &impl Dynamics<f64>,
    written: Option<&impl Dynamics<f64>>,
    panels: Option<&impl Dynamics<f64>>,
) {
    let mut rods = Rods::net(n);
    let rows = rods.rows();
    let [q, v] = rods.state();
    let [mut other, mut third] = [(); 2].map(|()| Rods::net(n));
    let mut contenders: Vec<Once<'_>> = vec![ours(system, &mut third)];
    contenders.push(written.map_or_else(|| Box::new(|| {}) as Once<'_>, |it| ours(it, &mut third)));
    contenders.push(panels.map_or_else(|| Box::new(|| {}) as Once<'_>, |it| ours(it, &mut third)));
    contenders.push(Box::new(|| _ = black_box(rods.acceleration(&q, &v))));
    other.acceleration(&q, &v);
    contenders.push(Box::new(|| other.factor_and_solve()));
    let times = race(&mut contenders);
    let cell = |k: usize| {
        let ratio = times[k] / times[3];
        format!("{:.2} µs ({ratio:.2})", times[k] * 1e6)
    };
    let written = written.map_or(String::new(), |_| cell(1));
    let panels = panels.map_or(String::new(), |_| cell(2));
    println!(
        "| {n} × {n} | {rows} | {} | {written} | {panels} | {} | {} |",
        cell(0),
        cell(3),
        cell(4)
    );
}

fn ladder(bays: usize, system: &impl Dynamics<f64>) {
    let mut rods = Rods::ladder(bays);
    let rows = rods.rows();
    let [q, v] = rods.state();
    let once = ours(system, &mut Rods::ladder(bays));
    let mut contenders: [Once<'_>; 2] =
        [once, Box::new(|| _ = black_box(rods.acceleration(&q, &v)))];
    let [a, b] = race(&mut contenders)[..] else {
        return;
    };
    let row = |time: f64| time * 1e9 / rows as f64;
    println!(
        "| {bays} bays | {rows} | {:.2} µs | {:.1} ns | {:.2} µs | {:.1} ns |",
        a * 1e6,
        row(a),
        b * 1e6,
        row(b)
    );
}
