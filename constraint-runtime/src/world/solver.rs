//! Which impulses hold the joints: all at once, or one joint after the other.

use crate::error::Error;
use crate::impulse::SequentialImpulses;

/// How a [`World`](crate::World) finds the impulses of its joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Solver {
    /// All joints at once, by sparse block LDLᵀ of J W Jᵀ.
    ///
    /// The order of elimination is computed once, whenever joints have been added. Chains and trees cost time
    /// linear in their joints; k joints at one body cost k³ there. Joints that depend on one another are an error.
    #[default]
    Exact,
    /// One joint after the other, again and again: see [`SequentialImpulses`].
    SequentialImpulses(SequentialImpulses),
}

impl Solver {
    /// That it can find impulses.
    pub(crate) fn validate(&self) -> Result<(), Error> {
        match self {
            Self::Exact => Ok(()),
            Self::SequentialImpulses(solver) => solver.validate(),
        }
    }
}

impl From<SequentialImpulses> for Solver {
    fn from(solver: SequentialImpulses) -> Self {
        Self::SequentialImpulses(solver)
    }
}
