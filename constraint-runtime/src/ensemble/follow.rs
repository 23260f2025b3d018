//! Observation of copies while they run.

use crate::state::State;
use crate::vector::Vector;

/// The observation of each copy while it runs.
pub trait Follow<Q: Vector, V>: Sync {
    /// The result for one copy at the end.
    type Told: Send;

    /// True if it observes steps.
    const SEES: bool;

    /// The result at the start.
    fn begin(&self, copy: usize, start: &State<Q, V>) -> Self::Told;

    /// Observes the state after a step.
    fn see(&self, told: &mut Self::Told, state: &State<Q, V>);
}

/// Observes nothing but the ends.
pub struct Unseen;

impl<Q: Vector, V> Follow<Q, V> for Unseen {
    type Told = ();

    const SEES: bool = false;

    fn begin(&self, _: usize, _: &State<Q, V>) {}

    fn see(&self, (): &mut (), _: &State<Q, V>) {}
}

/// A closure that creates a result from the start, and another that updates it with each step.
pub struct Followed<B, W> {
    pub(super) begin: B,
    pub(super) see: W,
}

impl<X, B, W, Q, V> Follow<Q, V> for Followed<B, W>
where
    Q: Vector,
    X: Send,
    B: Fn(usize, &State<Q, V>) -> X + Sync,
    W: Fn(&mut X, &State<Q, V>) + Sync,
{
    type Told = X;

    const SEES: bool = true;

    fn begin(&self, copy: usize, start: &State<Q, V>) -> X {
        (self.begin)(copy, start)
    }

    fn see(&self, told: &mut X, state: &State<Q, V>) {
        (self.see)(told, state);
    }
}
