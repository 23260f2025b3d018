//! The record of a run with contacts: its steps and events, in their order.

use alloc::vec::Vec;

use crate::one_sided::impact::Push;
use crate::one_sided::watch::Watched;
use crate::one_sided::{Each, OneSided, RowMode};
use crate::real::Real;
use crate::state::State;

/// Steps and events.
pub(super) struct History<T: Real, S: OneSided<T>>(pub(super) Vec<Entry<T, S>>);

/// What happens in a run.
pub(super) enum Entry<T: Real, S: OneSided<T>> {
    /// A step from `start`, of the length `h`, to the time `end`.
    Step(Step<T, S>),
    /// An event at the end of the step before.
    Event(Event<T, S>),
}

/// A step in a mode.
pub(super) struct Step<T: Real, S: OneSided<T>> {
    pub(super) start: State<S::Q, S::V>,
    pub(super) h: T,
    pub(super) end: T,
    pub(super) modes: Each<T, S, RowMode>,
}

/// An event.
pub(super) struct Event<T: Real, S: OneSided<T>> {
    pub(super) watched: Watched,
    pub(super) before: State<S::Q, S::V>,
    /// The solutions of its impacts.
    pub(super) pushes: Vec<Push<T, S>>,
    /// The restitution of gaps and the friction of slips, as they were taken,
    pub(super) coefficients: S::Sides,
    /// and the gaps whose restitution counted as zero.
    pub(super) stops: Each<T, S, bool>,
    /// The state after impacts, before projection onto the rows that are closed from here.
    pub(super) after: State<S::Q, S::V>,
    pub(super) next: Each<T, S, RowMode>,
}
