//! A chain of bodies on ball joints, stepped by a `World`, by rows written by hand, by dense assembly and by
//! rapier: `cargo run --release` in this folder.
//!
//! The first table gives the time of a step over the number of bodies. The second asks every contender for the
//! same: over a second's swing no joint may be off by more than the limit; iterations are doubled until it keeps
//! that. Contenders of a line are stepped in turns, so that what else the machine does meets all alike.

mod assembled;
mod by_hand;
mod chain;
mod ours;
mod rapier;

use std::time::Instant;

use assembled::Assembled;
use by_hand::ByHand;
use chain::{Chain, STEP};
use constraint_runtime::prelude::*;
use ours::Ours;
use rapier::Rapier;

/// Steps of a second's swing.
const SWING: usize = (1.0 / STEP) as usize;
/// Steps in a turn, and turns, of a timed contender.
const TURN: usize = 20;
const TURNS: usize = 25;
/// Most iterations that are tried.
const MOST: usize = 4096;

fn main() {
    scaling();
    for (links, limit) in [(10, 1e-3), (10, 1e-6), (100, 1e-3)] {
        at_equal_drift(links, limit);
    }
}

/// Seconds a step, the least of the turns.
fn race(chains: &mut [Box<dyn Chain>], turn: usize) -> Vec<f64> {
    let mut least = vec![f64::INFINITY; chains.len()];
    for _ in 0..TURNS {
        for (chain, least) in chains.iter_mut().zip(&mut least) {
            let start = Instant::now();
            (0..turn).for_each(|_| chain.step());
            *least = least.min(start.elapsed().as_secs_f64() / turn as f64);
        }
    }
    least
}

fn scaling() {
    println!(
        "| bodies | exact: a step | a body | 10 impulses: a step | a body | by hand: a step | a body |"
    );
    println!("|---|---|---|---|---|---|---|");
    for links in [10, 100, 1_000, 10_000] {
        let mut chains: [Box<dyn Chain>; 3] = [
            Box::new(Ours::new(links, Solver::Exact)),
            Box::new(Ours::new(links, SequentialImpulses::new(10))),
            Box::new(ByHand::new(links, 10, 4)),
        ];
        let times = race(&mut chains, (10_000 / links).max(1));
        let cells = times
            .iter()
            .map(|s| format!(" {:.3} ms | {:.0} ns |", s * 1e3, s * 1e9 / links as f64));
        println!("| {links} |{}", cells.collect::<String>());
    }
}

/// A way to make the chain with a number of iterations.
type Make = fn(usize, usize) -> Box<dyn Chain>;

fn at_equal_drift(links: usize, limit: f64) {
    println!("\n{links} bodies, joints within {limit:e} m over 1 s\n");
    println!("| | iterations | drift | end of the chain | a step |");
    println!("|---|---|---|---|---|");
    let contenders: [(&str, Make); 5] = [
        ("`World`, exact", |links, _| {
            Box::new(Ours::new(links, Solver::Exact))
        }),
        ("`World`, sequential impulses", |links, iterations| {
            let solver = SequentialImpulses::new(iterations).with_projections(iterations);
            Box::new(Ours::new(links, solver))
        }),
        ("by hand, sequential impulses", |links, iterations| {
            Box::new(ByHand::new(links, iterations, iterations))
        }),
        ("nalgebra, dense assembly", |links, _| {
            Box::new(Assembled::new(links))
        }),
        ("rapier, double precision", |links, iterations| {
            Box::new(Rapier::new(links, iterations))
        }),
    ];
    let found: Vec<_> = contenders
        .iter()
        .map(|(name, make)| (*name, *make, fewest(*make, links, limit)))
        .collect();
    let mut chains: Vec<_> = found
        .iter()
        .map(|(_, make, it)| make(links, it.iterations))
        .collect();
    let times = race(&mut chains, TURN);
    for ((name, _, found), time) in found.iter().zip(times) {
        let Found {
            iterations,
            drift,
            end,
        } = found;
        let end = format!("({:.3}, {:.3})", end[0], end[2]);
        println!(
            "| {name} | {iterations} | {drift:.1e} m | {end} | {:.1} µs |",
            time * 1e6
        );
    }
}

struct Found {
    iterations: usize,
    drift: f64,
    end: [f64; 3],
}

/// The fewest iterations, doubled from one, that keep the limit; else the most.
fn fewest(make: Make, links: usize, limit: f64) -> Found {
    let mut iterations = 1;
    loop {
        let mut chain = make(links, iterations);
        let mut drift: f64 = 0.0;
        for _ in 0..SWING {
            chain.step();
            drift = drift.max(chain.drift());
        }
        if drift <= limit || iterations >= MOST {
            let end = chain.end();
            return Found {
                iterations,
                drift,
                end,
            };
        }
        iterations *= 2;
    }
}
