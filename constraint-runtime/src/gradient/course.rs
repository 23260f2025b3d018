//! The course of a run: how long its steps were, and states from which they can be made again.

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

/// Steps between two states that are kept, of short runs: as many as are made of so many numbers,
const MOST_NUMBERS: usize = 1 << 21;
/// within these limits.
const SEGMENTS: [usize; 2] = [32, 1024];
/// Places of a step: four stages, two of a projection, its end.
const PLACES: usize = 7;

/// Steps whose places are kept at a time, of short runs.
fn segment<Q: Vector, V: Vector<Scalar = Q::Scalar>>(like: &State<Q, V>) -> usize {
    let numbers = PLACES * (1 + like.q.entries().len() + like.v.entries().len());
    (MOST_NUMBERS / numbers).clamp(SEGMENTS[0], SEGMENTS[1])
}

/// A step as it was made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made<T> {
    /// Its length.
    pub(super) h: T,
    /// The time at its end.
    pub(super) end: T,
}

/// What a run did. Of n steps it keeps at most √(2 n) states, as many as steps lie between two, or those of one segment.
#[derive(Debug)]
pub(super) struct Course<Q: Vector, V> {
    pub(super) steps: Vec<Made<Q::Scalar>>,
    /// How many steps were made until each of the times of the loss.
    pub(super) observed: Vec<usize>,
    /// The events that ended steps, with the numbers of these.
    passages: Vec<(usize, Passage<Q, V>)>,
    /// The state before every step whose number is a multiple of `stride`.
    pub(super) states: Vec<State<Q, V>>,
    pub(super) stride: usize,
    pub(super) arrival: Arrival,
    /// The places of all steps, where they are as few as lie between two states and of fixed size.
    pub(super) kept: Option<Recording<Q, V>>,
}

impl<T: Real, Q: Vector<Scalar = T>, V: Vector<Scalar = T>> Course<Q, V> {
    /// Runs, and keeps what happens.
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
                    // A method that chooses its steps goes as far as it was asked to at the last of them.
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
