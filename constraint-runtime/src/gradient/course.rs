//! The record of a run: the lengths of its steps, and states from which they can be repeated.

use alloc::vec::Vec;

use super::Reversible;
use super::recording::{Recording, Watch};
use crate::error::Error;
use crate::event::{Arrival, Events};
use crate::real::Real;
use crate::simulation::{Passage, Simulation};
use crate::state::State;
use crate::system::System;
use crate::vector::Vector;

/// Steps between two stored states, for short runs: as many as consist of so many numbers,
const MOST_NUMBERS: usize = 1 << 21;
/// within these limits.
const SEGMENTS: [usize; 2] = [32, 1024];
/// States of a step: four stages, two of a projection, its end.
const PLACES: usize = 7;

/// Steps whose states are stored at a time, for short runs.
fn segment<Q: Vector, V: Vector<Scalar = Q::Scalar>>(like: &State<Q, V>) -> usize {
    let numbers = PLACES * (1 + like.q.entries().len() + like.v.entries().len());
    (MOST_NUMBERS / numbers).clamp(SEGMENTS[0], SEGMENTS[1])
}

/// A step of the run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made<T> {
    /// Its length.
    pub(super) h: T,
    /// The time at its end.
    pub(super) end: T,
}

/// The record of a run. Of n steps it stores at most √(2 n) states, with as many steps between two of them, or those
/// of one segment.
#[derive(Debug)]
pub(super) struct Course<Q: Vector, V> {
    pub(super) steps: Vec<Made<Q::Scalar>>,
    /// The number of steps up to each of the times of the loss.
    pub(super) observed: Vec<usize>,
    /// The events that ended steps, with the indices of these steps.
    passages: Vec<(usize, Passage<Q, V>)>,
    /// The state before every step whose index is a multiple of `stride`.
    pub(super) states: Vec<State<Q, V>>,
    pub(super) stride: usize,
    pub(super) arrival: Arrival,
    /// The states of all steps, if they are no more than lie between two stored states, and the steps have fixed
    /// size.
    pub(super) kept: Option<Recording<Q, V>>,
}

impl<T: Real, Q: Vector<Scalar = T>, V: Vector<Scalar = T>> Course<Q, V> {
    /// Runs, and records the steps.
    pub(super) fn of<S, I, E>(run: &mut Simulation<S, I, E>, times: &[T]) -> Result<Self, Error>
    where
        S: System<T, Q = Q, V = V>,
        I: Reversible<Scalar = T>,
        E: Events<Q, V>,
    {
        let mut latest = run.state().clone();
        let mut course = Self {
            steps: Vec::new(),
            observed: Vec::with_capacity(times.len()),
            passages: Vec::new(),
            states: [latest.clone()].into(),
            stride: segment(&latest),
            arrival: Arrival::Time,
            kept: None,
        };
        let watch = if E::COUNT == 0 && run.has_fixed_steps() && !I::HOLDS_CONSTRAINTS {
            Watch::of(course.stride, &latest)
        } else {
            Watch::closed()
        };
        let slopes = |t, q: &Q, v: &V| watch.slope(t, q, v);
        let corrections = |t, q: &Q, v: &V| watch.correction(t, q, v);
        for &time in times {
            let advance = |run: &mut Simulation<S, I, E>, h, t| {
                if watch.is_open() {
                    run.advance_seen(h, t, Some([&slopes, &corrections]))
                } else {
                    run.advance(h, t)
                }
            };
            course.arrival = run.run_steps_by(advance, time, |run, asked| {
                let end = run.state();
                let whole = run.passage().is_none();
                let h = if whole && run.has_fixed_steps() {
                    asked
                } else if whole {
                    // An adaptive method may take several steps to the requested end; the last one counts.
                    asked.select(end.t.simd_eq(time), end.t - latest.t)
                } else {
                    end.t - latest.t
                };
                course.push(&latest, Made { h, end: end.t }, run.passage());
                watch.step_made(end);
                latest.clone_from(end);
            })?;
            course.observed.push(course.steps.len());
            if course.arrival != Arrival::Time {
                break;
            }
        }
        course.kept = watch.recording();
        Ok(course)
    }

    /// The event that ended a step.
    pub(super) fn passage(&self, step: usize) -> Option<&Passage<Q, V>> {
        let found = self.passages.binary_search_by_key(&step, |(at, _)| *at);
        found.ok().map(|found| &self.passages[found].1)
    }

    pub(super) fn has_passages(&self) -> bool {
        !self.passages.is_empty()
    }

    fn push(&mut self, start: &State<Q, V>, made: Made<T>, passage: Option<&Passage<Q, V>>) {
        let number = self.steps.len();
        if number > 0 && number.is_multiple_of(self.stride) {
            if self.states.len() == 2 * self.stride {
                let mut number = 0;
                self.states.retain(|_| {
                    number += 1;
                    number % 2 == 1
                });
                self.stride *= 2;
            }
            self.states.push(start.clone());
        }
        self.steps.push(made);
        self.passages
            .extend(passage.map(|passage| (number, passage.clone())));
    }
}
