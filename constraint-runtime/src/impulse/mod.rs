//! Impulses that correct velocities, one block of rows after the other, for worlds and for systems.

mod rows;
mod softness;

pub use rows::ImpulseRows;
pub(crate) use rows::Target;
pub use softness::Softness;

use crate::error::{Error, Singular};
use crate::integrator::ImpulseStepper;
use crate::real::Real;

/// Sequential impulses on the joints: block Gauss–Seidel on (J W Jᵀ) Λ = −Ċ.
///
/// An iteration visits every joint once and applies the impulse that satisfies its own rows, all of them together;
/// the next visit corrects the effect on its neighbours. Every other iteration runs backwards. Λ is accumulated over
/// the iterations, starts from that of the last step and is kept for the next. It converges to the exact Λ, more
/// slowly the longer the chains are (the number of iterations grows with the square of their length); joints that
/// depend on one another are no error.
///
/// Under [`Stabilization::Projection`](crate::Stabilization::Projection) the bodies are moved onto C = 0 in the same
/// manner after the step, in `projections` visits of every joint, or fewer if the tolerance is met.
///
/// A [`World`](crate::World) uses it as its [`Solver`](crate::Solver); [`stepping`](Self::stepping) turns it into an
/// integrator for any [`System`](crate::System), where the rows of one constraint play the part of a joint.
///
/// - Cost: linear in joints and iterations; no step allocates.
///
/// # Source
/// I. Robson, *Distance Constraint*, steps 1 to 3, with λ of its eq. 12 read as (J M⁻¹ Jᵀ)⁻¹ (−J V); E. Catto,
/// *Iterative Dynamics with Temporal Coherence*, GDC 2005, for accumulation and warm starting.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// let world = World3::<f64>::new().with_solver(SequentialImpulses::new(30).with_projections(5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SequentialImpulses {
    iterations: usize,
    projections: usize,
    warm_start: bool,
}

impl SequentialImpulses {
    /// Visits every joint `iterations` times in a step, at least once, and four times to project the poses; warm starting
    /// is on.
    pub fn new(iterations: usize) -> Self {
        Self {
            iterations,
            projections: 4,
            warm_start: true,
        }
    }

    /// Sets the number of visits of every joint for the poses.
    pub fn with_projections(self, projections: usize) -> Self {
        Self {
            projections,
            ..self
        }
    }

    /// Starts every step from Λ = 0.
    pub fn without_warm_start(self) -> Self {
        Self {
            warm_start: false,
            ..self
        }
    }

    /// The integrator of a [`System`](crate::System) by such impulses, in steps of size `h`.
    pub fn stepping<T: Real>(self, h: T) -> ImpulseStepper<T> {
        ImpulseStepper::new(self, h)
    }

    /// Checks that there is an iteration to compute the impulses.
    pub(crate) fn validate(&self) -> Result<(), Error> {
        match self.iterations {
            0 => Err(Error::NoIterations),
            _ => Ok(()),
        }
    }

    pub(crate) fn starts_warm(&self) -> bool {
        self.warm_start
    }

    /// Solves for velocities that satisfy the linearised rows.
    pub(crate) fn solve_velocities<S: Swept>(&self, rows: &mut S) -> Result<(), Singular> {
        rows.factor()?;
        if self.warm_start {
            rows.warm_start();
        }
        for iteration in 0..self.iterations {
            rows.sweep(is_backwards(iteration));
        }
        Ok(())
    }

    /// Visits every row for the positions, until `good`; the argument of `project` is true if the pass runs backwards.
    pub(crate) fn solve_positions<P, E>(
        &self,
        places: &mut P,
        mut good: impl FnMut(&P) -> bool,
        mut project: impl FnMut(&mut P, bool) -> Result<(), E>,
    ) -> Result<(), E> {
        for iteration in 0..self.projections {
            if good(places) {
                break;
            }
            project(places, is_backwards(iteration))?;
        }
        Ok(())
    }
}

/// Linearised rows to which impulses are applied: the joints of a world, or the rows of a system.
pub(crate) trait Swept {
    /// Factors each block of J W Jᵀ + γ on the diagonal.
    fn factor(&mut self) -> Result<(), Singular>;

    /// Applies the impulses that the rows start from to the velocities.
    fn warm_start(&mut self);

    /// Satisfies one block after the other.
    fn sweep(&mut self, backwards: bool);
}

/// True for every other iteration, which runs backwards.
fn is_backwards(iteration: usize) -> bool {
    !iteration.is_multiple_of(2)
}
