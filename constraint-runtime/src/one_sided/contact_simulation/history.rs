//! The record of a run with contacts: its steps, and the events at their ends.

use alloc::vec::Vec;

use crate::one_sided::impact::{Push, Restitution};
use crate::one_sided::watch::Watched;
use crate::one_sided::{Each, OneSided, RowMode};
use crate::real::Real;
use crate::state::State;
use crate::vector::Vector;

/// A step in a mode: from `start`, of the length `h`, to the time `end`.
pub(super) struct Step<T: Real, S: OneSided<T>> {
    pub(super) start: State<S::Q, S::V>,
    pub(super) h: T,
    pub(super) end: T,
    pub(super) modes: Each<T, S, RowMode>,
    /// The event at its end, if there is one.
    pub(super) event: Option<Event<T, S>>,
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

impl<T: Real, S: OneSided<T>> Event<T, S> {
    /// 1 + e of each row.
    pub(super) fn factors(&self, of: &Restitution<T, S>) -> S::Sides {
        let gaps = of.as_ref();
        S::Sides::blank()
            .like(|i| gaps[i].map_or(T::one(), |gap| self.coefficients[gap] + T::one()))
    }

    /// P = (1 + e) P₀
    pub(super) fn impulses(&self, push: &Push<T, S>) -> S::Sides {
        let factors = self.factors(&push.expansion);
        factors.like(|i| push.impulses[i] * factors[i])
    }
}
