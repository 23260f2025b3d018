//! The solvers for the impulses of joints: all at once, or one joint after the other.

use crate::error::Error;
use crate::impulse::SequentialImpulses;

/// The method by which a [`World`](crate::World) computes the impulses of its joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Solver {
    /// All joints at once, by sparse block LDLᵀ of J W Jᵀ.
    ///
    /// The order of elimination is computed once after joints have been added. Chains and trees cost time linear in
    /// the number of joints; k joints at one body cost k³ there. Joints may depend on one another, as in closed loops of hinges:
    /// they share their load, see [`redundancies`](crate::World::redundancies).
    #[default]
    Exact,
    /// One joint after the other, repeatedly: see [`SequentialImpulses`].
    SequentialImpulses(SequentialImpulses),
}

impl Solver {
    /// Checks that it can compute impulses.
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
