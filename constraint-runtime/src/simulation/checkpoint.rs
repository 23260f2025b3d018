//! Saving a run and resuming it.

use core::fmt;

use super::events::Simultaneous;
use super::{Simulation, first_lane};
use crate::error::Error;
use crate::event::{Events, NoEvents};
use crate::integrator::Integrator;
use crate::real::Real;
use crate::stabilization::Stabilization;
use crate::state::{State, check_as_long, check_finite, check_lengths, lengths};
use crate::system::System;
use crate::vector::Vector;

/// Everything that a [`Simulation`] needs to resume, except its system, its method and its events: the last step, the
/// memory of the method, the stabilisation.
///
/// A run that [resumes](Simulation::resume) from it continues exactly like the original, to the last bit, with every
/// method. With the feature `serde` it can be serialized; use a format that keeps every digit, which for `serde_json`
/// is its feature `float_roundtrip`. Deserialization checks sizes that the type fixes; [`resume`](Simulation::resume)
/// checks the others.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     struct Pendulum { l: Real = 1, g: Real = 9.81 }
///     particle bob: Point2 { mass: 1 }
///     constraint rod: norm(bob) == l;
///     gravity [0, -g];
/// }
/// let method = DormandPrince::new(1e-9_f64, 1e-9);
/// let start = State::new(0.0, [1.0, 0.0], [0.0, 0.0]);
/// let mut run = Simulation::new(Pendulum::default(), start, method)?;
/// run.run_until(1.0)?;
/// let checkpoint = run.checkpoint();
/// run.run_until(2.0)?;
///
/// let mut resumed = Simulation::resume(Pendulum::default(), method, checkpoint)?;
/// resumed.run_until(2.0)?;
/// assert_eq!(resumed.state(), run.state());
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde-no-std",
    serde(bound(
        serialize = "I::Scalar: serde::Serialize, Q: serde::Serialize, V: serde::Serialize, \
                     I::Memory<Q, V>: serde::Serialize",
        deserialize = "I::Scalar: serde::Deserialize<'de>, Q: serde::Deserialize<'de>, \
                       V: serde::Deserialize<'de>, I::Memory<Q, V>: serde::Deserialize<'de>"
    ))
)]
pub struct Checkpoint<I, Q, V = Q>
where
    I: Integrator,
    Q: Vector<Scalar = I::Scalar>,
    V: Vector<Scalar = I::Scalar>,
{
    /// Start and end of the last step.
    states: [State<Q, V>; 2],
    memory: I::Memory<Q, V>,
    stabilization: Stabilization<I::Scalar>,
    simultaneous: Simultaneous,
}

impl<I, Q, V> Checkpoint<I, Q, V>
where
    I: Integrator,
    Q: Vector<Scalar = I::Scalar>,
    V: Vector<Scalar = I::Scalar>,
{
    /// The state that a run resumes from.
    pub fn state(&self) -> &State<Q, V> {
        &self.states[1]
    }
}

impl<T, S, I, E> Simulation<S, I, E>
where
    T: Real,
    S: System<T>,
    I: Integrator<Scalar = T>,
    E: Events<S::Q, S::V>,
{
    /// The checkpoint of the run: see [`Checkpoint`]. Events are not part of it.
    pub fn checkpoint(&self) -> Checkpoint<I, S::Q, S::V> {
        Checkpoint {
            states: self.ends().map(State::clone),
            memory: self.memory.clone(),
            stabilization: self.stabilization,
            simultaneous: self.simultaneous,
        }
    }
}

impl<T, S, I> Simulation<S, I>
where
    T: Real,
    S: System<T>,
    I: Integrator<Scalar = T>,
{
    /// Resumes a run from a [`Checkpoint`], with the system and the method that it was taken from.
    ///
    /// Add events afterwards. If the function of one was zero at the checkpoint, it counts as on the side it moves
    /// to.
    ///
    /// # Errors
    /// Those of the settings of system, method and stabilisation; [`Error::WrongLength`] and [`Error::NonFinite`] for
    /// a checkpoint of another system or method. The constraints are not checked.
    pub fn resume(
        system: S,
        integrator: I,
        checkpoint: Checkpoint<I, S::Q, S::V>,
    ) -> Result<Self, Error> {
        integrator.validate()?;
        system.validate()?;
        checkpoint.stabilization.validate()?;
        checkpoint.simultaneous.check()?;
        let [start, end] = &checkpoint.states;
        check_lengths(&system, end)
            .and_then(|()| check_as_long(start, lengths(end)))
            .and_then(|()| check_finite(start))
            .and_then(|()| check_finite(end))
            .and_then(|()| integrator.check_memory(&system, &checkpoint.memory, end))
            .map_err(|error| error.of(&system, first_lane(end.t)))?;
        Ok(Self {
            system,
            integrator,
            memory: checkpoint.memory,
            stabilization: checkpoint.stabilization,
            states: checkpoint.states,
            current: true,
            events: NoEvents,
            simultaneous: checkpoint.simultaneous,
            passage: None,
        })
    }
}

// The memory of a method has no public form.
impl<I, Q, V> fmt::Debug for Checkpoint<I, Q, V>
where
    I: Integrator,
    Q: Vector<Scalar = I::Scalar>,
    V: Vector<Scalar = I::Scalar>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checkpoint")
            .field("state", self.state())
            .field("stabilization", &self.stabilization)
            .finish_non_exhaustive()
    }
}
