//! What is told of copies on their way.

use crate::state::State;
use crate::vector::Vector;

/// What is told of each copy while it runs.
pub trait Follow<Q: Vector, V>: Sync {
    /// What is known of one copy in the end.
    type Told: Send;

    /// Whether it looks at steps.
    const SEES: bool;

    /// What is known at the start.
    fn begin(&self, copy: usize, start: &State<Q, V>) -> Self::Told;

    /// Looks at the state after a step.
    fn see(&self, told: &mut Self::Told, state: &State<Q, V>);
}

/// Nothing but the ends.
pub struct Unseen;

impl<Q: Vector, V> Follow<Q, V> for Unseen {
    type Told = ();

    const SEES: bool = false;

    fn begin(&self, _: usize, _: &State<Q, V>) {}

    fn see(&self, (): &mut (), _: &State<Q, V>) {}
}

/// What a closure makes of the start, and another of each step.
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
