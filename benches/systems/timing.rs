//! Several ways of doing one thing, timed in turns: what the machine does beside them meets all alike.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Rounds in which every contender has one turn.
const ROUNDS: usize = 41;
/// Length of a turn, long beside the clock's resolution and short beside a time slice.
const TURN: Duration = Duration::from_micros(400);

/// One way of doing the thing, `calls` times on end.
pub struct Contender<'a> {
    run: Box<dyn FnMut(u32) + 'a>,
}

impl<'a> Contender<'a> {
    /// `once` is one call; its result is kept from the optimiser.
    pub fn new<R>(mut once: impl FnMut() -> R + 'a) -> Self {
        let run = move |calls| {
            for _ in 0..calls {
                let result = once();
                black_box(&result);
            }
        };
        Self { run: Box::new(run) }
    }

    fn time(&mut self, calls: u32) -> f64 {
        let start = Instant::now();
        (self.run)(calls);
        start.elapsed().as_secs_f64() / f64::from(calls)
    }

    /// How many calls fill a turn, after a first turn that warms up.
    fn calls(&mut self) -> u32 {
        let mut calls = 1;
        while self.time(calls) * f64::from(calls) < TURN.as_secs_f64() {
            calls *= 2;
        }
        calls
    }
}

/// Seconds a call of each contender: the least over the rounds, since what disturbs only adds.
pub fn race(contenders: &mut [Contender<'_>]) -> Vec<f64> {
    let calls: Vec<u32> = contenders.iter_mut().map(Contender::calls).collect();
    let mut least = vec![f64::INFINITY; contenders.len()];
    for _ in 0..ROUNDS {
        for ((contender, &calls), least) in contenders.iter_mut().zip(&calls).zip(&mut least) {
            *least = least.min(contender.time(calls));
        }
    }
    least
}
