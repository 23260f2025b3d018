//! Double pendulums let go at random angles: when does one first swing over the top?

use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};
use std::num::NonZero;
use std::ops::Range;

use constraint_runtime::ensemble::{Histogram, Random, Statistics};
use constraint_runtime::prelude::*;
use serde::{Deserialize, Serialize};

system! {
    /// Two rods of 1 m, a bob of 1 kg at the end of each; angles from below.
    pub struct DoublePendulum { m: Real = 1, l: Real = 1, g: Real = 9.81 }
    coordinate a, b;
    particle upper = [l*sin(a), -l*cos(a)] { mass: m }
    particle lower = [upper.x + l*sin(b), upper.y - l*cos(b)] { mass: m }
    gravity [0, -g];
}

/// What each copy is run with.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Of the random starts.
    pub seed: u64,
    /// How long each swings, in s.
    pub time: f64,
    /// The step of RK4, in s.
    pub step: f64,
}

/// The angles at which a copy is let go: anywhere, at rest.
pub fn start(seed: u64, copy: usize) -> [f64; 2] {
    let mut random = Random::new(seed, copy);
    [random.between(-PI, PI), random.between(-PI, PI)]
}

/// One copy's start, and when it first went over the top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The angles at the start.
    pub start: [f64; 2],
    /// The end of the first step after which one of the rods is beyond the top, in s; NaN if none is.
    pub turned: f64,
}

/// The summary of many copies; its size does not grow with their number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Of the copies that go over the top: both angles at the start, and the time.
    pub turned: Statistics<3>,
    /// The times, in twenty equal parts of the run.
    pub times: Histogram<20>,
    /// Number of copies that stay below the top.
    pub stayed: usize,
    /// Number of copies that went over the top without the energy for it.
    pub impossible: usize,
    /// The copies that failed, with their errors.
    pub failed: BTreeMap<usize, String>,
}

impl Summary {
    /// The summary of no copies.
    ///
    /// # Errors
    /// [`Error::InvalidDomain`] if the duration of a run is not positive.
    pub fn new(settings: &Settings) -> Result<Self, Error> {
        Ok(Self {
            turned: Statistics::new(),
            times: Histogram::new(0.0, settings.time)?,
            stayed: 0,
            impossible: 0,
            failed: BTreeMap::new(),
        })
    }

    /// Adds the summary of other copies; the order does not matter.
    ///
    /// # Errors
    /// [`Error::DomainsDiffer`] if they ran for another time.
    pub fn merge(&mut self, other: Self) -> Result<(), Error> {
        self.times.merge(&other.times)?;
        self.turned.merge(&other.turned);
        self.stayed += other.stayed;
        self.impossible += other.impossible;
        self.failed.extend(other.failed);
        Ok(())
    }

    /// The number of copies.
    pub fn copies(&self) -> usize {
        self.turned.count() + self.stayed + self.failed.len()
    }

    fn add(&mut self, Row { start, turned }: Row) {
        if turned.is_nan() {
            self.stayed += 1;
            return;
        }
        let [a, b] = start;
        self.turned.add([a, b, turned]);
        self.times.add(turned);
        // With a rod on top the energy is −m g l at least, and that of the start −m g l (2 cos a + cos b).
        self.impossible += usize::from(2.0 * a.cos() + b.cos() > 1.001);
    }
}

/// Runs some copies and hands each row to `take`, in order: a function of settings and range alone.
///
/// # Errors
/// [`Error::NoCopies`], and those of step and time.
pub fn run(
    settings: &Settings,
    copies: Range<usize>,
    threads: Option<NonZero<usize>>,
    mut take: impl FnMut(Row) + Send,
) -> Result<Summary, Error> {
    let mut summary = Summary::new(settings)?;
    let seed = settings.seed;
    let ensemble = Ensemble::new(copies.end, |copy| {
        let start = State::new(0.0, start(seed, copy), [0.0; 2]);
        Ok((DoublePendulum::default(), start))
    });
    let ensemble = match threads {
        Some(threads) => ensemble.with_threads(threads),
        None => ensemble,
    };
    ensemble.only(copies)?.for_each_followed(
        settings.time,
        Rk4::new(settings.step),
        |_, _| f64::NAN,
        |turned, state| {
            if turned.is_nan() && state.q.amax() > PI {
                *turned = state.t;
            }
        },
        |copy, end| {
            let mut row = Row {
                start: start(seed, copy),
                turned: f64::NAN,
            };
            match end {
                Ok((turned, _)) => {
                    row.turned = turned;
                    summary.add(row);
                }
                Err(error) => drop(summary.failed.insert(copy, error.to_string())),
            }
            take(row);
        },
    )?;
    Ok(summary)
}

/// The part of all starts from which a pendulum has not the energy to go over the top: where 2 cos a + cos b > 1.
pub fn safe_part() -> f64 {
    const PARTS: usize = 1_000_000;
    let part = |k: usize| {
        let a = TAU * (k as f64 + 0.5) / PARTS as f64;
        let cosine = 1.0 - 2.0 * a.cos();
        cosine.clamp(-1.0, 1.0).acos() / PI
    };
    (0..PARTS).map(part).sum::<f64>() / PARTS as f64
}
