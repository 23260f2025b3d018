//! The course of a run: how long its steps were, and states from which they can be made again.

use alloc::vec::Vec;

use super::Reversible;
use crate::error::Error;
use crate::real::Real;
use crate::simulation::Simulation;
use crate::state::State;
use crate::system::System;
use crate::vector::Vector;

/// Steps between two states that are kept, of short runs.
const SHORTEST_SEGMENT: usize = 32;

/// A step as it was made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made<T> {
    /// Its length.
    pub(super) h: T,
    /// The time at its end.
    pub(super) end: T,
}

/// What a run did. Of n steps it keeps at most √(8 n) states, no more than twice as many as steps lie between two.
#[derive(Debug)]
pub(super) struct Course<Q: Vector, V> {
    pub(super) steps: Vec<Made<Q::Scalar>>,
    /// How many steps were made until each of the times of the loss.
    pub(super) observed: Vec<usize>,
    /// The state before every step whose number is a multiple of `stride`.
    pub(super) states: Vec<State<Q, V>>,
    pub(super) stride: usize,
}

impl<T: Real, Q: Vector<Scalar = T>, V: Vector<Scalar = T>> Course<Q, V> {
    /// Runs, and keeps what happens.
    pub(super) fn of<S, I>(run: &mut Simulation<S, I>, times: &[T]) -> Result<Self, Error>
    where
        S: System<T, Q = Q, V = V>,
        I: Reversible<Scalar = T>,
    {
        let mut course = Self {
            steps: Vec::new(),
            observed: Vec::with_capacity(times.len()),
            states: [run.state().clone()].into(),
            stride: SHORTEST_SEGMENT,
        };
        for &time in times {
            run.run_steps(time, |run, asked| {
                let [start, end] = run.ends();
                // A method that chooses its steps goes as far as it was asked to at the last of them.
                let h = if run.has_fixed_steps() {
                    asked
                } else {
                    asked.select(end.t.simd_eq(time), end.t - start.t)
                };
                course.push(start, Made { h, end: end.t });
            })?;
            course.observed.push(course.steps.len());
        }
        Ok(course)
    }

    fn push(&mut self, start: &State<Q, V>, made: Made<T>) {
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
    }
}
