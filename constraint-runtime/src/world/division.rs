//! Steps that lead too far are divided into equal parts.
//!
//! Light bodies between heavy ones swing fast, at about √(λ/(m l)): a chain of ten links that carries a million times the mass of
//! one turns steps of 2 ms into sixteen. The number of parts is a power of two. It stays for the next steps, and is halved after
//! some without need; each time that this was too early, twice as many steps must pass.

use super::World;
use super::body::Massive;
use crate::error::Error;
use crate::real::{Real, lane_value};

/// Halvings of a step at most.
const MOST_HALVINGS: u32 = 10;

/// Steps without need before fewer parts are tried, at first and at most.
const PATIENCE: [u32; 2] = [16, 4096];

/// The ratio of masses that an error names.
const UNEVEN: f64 = 1e3;

/// How steps are divided.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Division {
    halvings: u32,
    /// Steps since the number of parts has changed.
    calm: u32,
    patience: u32,
    /// True if the number of parts has been reduced last.
    tried: bool,
}

impl Default for Division {
    fn default() -> Self {
        Self {
            halvings: 0,
            calm: 0,
            patience: PATIENCE[0],
            tried: false,
        }
    }
}

impl Division {
    /// The parts were too few.
    fn divide_further(&mut self) {
        if self.tried {
            self.patience = (2 * self.patience).min(PATIENCE[1]);
        }
        (self.halvings, self.calm, self.tried) = (self.halvings + 1, 0, false);
    }

    /// The parts were enough.
    fn succeed(&mut self) {
        self.calm += 1;
        if self.halvings > 0 && self.calm >= self.patience {
            (self.halvings, self.calm, self.tried) = (self.halvings - 1, 0, true);
        }
    }
}

/// What a step has come to.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Outcome {
    Done,
    /// It has led too far, and nothing has changed.
    TooFar,
}

impl<T: Real, B: Massive<T, D>, const D: usize> World<T, B, D> {
    /// The number of equal parts into which the next step will be divided: 1 unless steps have led too far.
    ///
    /// Where light bodies between heavy ones swing too fast for a step, it is divided: [`impulse`](Self::impulse) is then that of
    /// its last part. Such a step allocates.
    pub fn parts_of_step(&self) -> usize {
        1 << self.division.halvings
    }

    /// Advances by h, in as many parts as it needs.
    pub(super) fn divide(&mut self, h: T) -> Result<(), Error> {
        if self.division.halvings == 0 {
            if self.advance_once(h, false)? == Outcome::Done {
                self.division.succeed();
                return Ok(());
            }
            self.division.divide_further();
        }
        let (before, end) = (self.checkpoint(), self.time + h);
        loop {
            match self.advance_in_parts(h) {
                Ok(Outcome::Done) => break,
                Ok(Outcome::TooFar) => self.go_back_to(&before)?,
                Err(error) => {
                    self.go_back_to(&before)?;
                    return Err(error);
                }
            }
            self.division.divide_further();
        }
        self.time = end;
        self.division.succeed();
        Ok(())
    }

    fn advance_in_parts(&mut self, h: T) -> Result<Outcome, Error> {
        let Division { halvings, .. } = self.division;
        let parts = 1_u32 << halvings;
        let h = h / T::lit(parts.into());
        for _ in 0..parts {
            let outcome = self.advance_once(h, halvings == MOST_HALVINGS)?;
            if outcome == Outcome::TooFar {
                return Ok(outcome);
            }
        }
        Ok(Outcome::Done)
    }

    /// Resumes from the start of a step, whose poses before it remain those that frames are drawn between.
    #[cold]
    fn go_back_to(&mut self, start: &super::WorldCheckpoint<T>) -> Result<(), Error> {
        let (frames, division) = (core::mem::take(&mut self.frames), self.division);
        let resumed = self.resume(start);
        (self.frames, self.division) = (frames, division);
        resumed
    }

    /// Names the masses that differ by many orders, if the joints of a row that stays violated connect such.
    #[cold]
    pub(super) fn with_masses(&self, error: Error) -> Error {
        let Error::ProjectionDiverged { row, time, .. } = error else {
            return error;
        };
        let masses = self.masses_around(row.index);
        let ratio = masses.map_or(1.0, |[least, most]| most / least);
        if ratio < UNEVEN {
            return error;
        }
        Error::UnevenMasses { row, ratio, time }
    }

    /// The least and the greatest mass among all bodies that joints connect with those of a row.
    fn masses_around(&self, row: usize) -> Option<[f64; 2]> {
        self.exact.with(
            || self.new_exact(),
            |exact| {
                let part = exact.part_of_row(row)?;
                let masses = exact.moved(part).iter();
                let masses = masses.filter_map(|&body| self.inertias[body].as_ref());
                let masses = masses.map(|inertia| lane_value(B::mass(inertia), 0));
                masses.fold(None, |range, mass| {
                    let [least, most] = range.unwrap_or([mass; 2]);
                    Some([mass.min(least), mass.max(most)])
                })
            },
        )
    }
}
