//! Which impulses hold the joints: all at once, or one joint after the other.

use super::body::Massive;
use super::joints::{Family, JointSingular, Moving};
use crate::real::Real;

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

impl From<SequentialImpulses> for Solver {
    fn from(solver: SequentialImpulses) -> Self {
        Self::SequentialImpulses(solver)
    }
}

/// Impulses swept through the joints: block Gauss–Seidel on (J W Jᵀ) Λ = −Ċ.
///
/// An iteration visits every joint once and gives it the impulse that makes its own rows obey, all of them
/// together; what that does to its neighbours is for the next visit. Every other iteration runs backwards. Λ is
/// accumulated over the iterations, starts from that of the last step and is kept for the next. It converges to
/// the exact Λ, slower the longer the chains are (iterations grow with the square of their length); joints that
/// depend on one another are no error.
///
/// Under [`Stabilization::Projection`](crate::Stabilization::Projection) the bodies are moved onto C = 0 in the
/// same manner after the step, in `projections` visits of every joint, or fewer where the tolerance is met.
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
    /// As many visits of every joint; a projection of four visits, and warm starting.
    pub fn new(iterations: usize) -> Self {
        Self {
            iterations,
            projections: 4,
            warm_start: true,
        }
    }

    /// As many visits of every joint for the places.
    pub fn with_projections(self, projections: usize) -> Self {
        Self {
            projections,
            ..self
        }
    }

    /// Every step starts from Λ = 0.
    pub fn without_warm_start(self) -> Self {
        Self {
            warm_start: false,
            ..self
        }
    }

    pub(super) fn starts_warm(&self) -> bool {
        self.warm_start
    }

    /// Makes the velocities obey the linearised joints.
    pub(super) fn solve_velocities<T: Real, B: Massive<T, D>, const D: usize>(
        &self,
        families: &mut [Box<dyn Family<T, B, D>>],
        bodies: &mut [Moving<T, B, D>],
    ) -> Result<(), (usize, JointSingular)> {
        for (index, family) in families.iter_mut().enumerate() {
            family.factor().map_err(|singular| (index, singular))?;
        }
        if self.warm_start {
            families.iter().for_each(|family| family.warm_start(bodies));
        }
        for iteration in 0..self.iterations {
            visit(families, iteration, |_, family, backwards| {
                family.sweep(bodies, backwards);
                Ok::<_, ()>(())
            })
            .expect("sweeps do not fail");
        }
        Ok(())
    }

    /// Moves the bodies towards C = 0 until `good`.
    pub(super) fn solve_positions<T: Real, B: Massive<T, D>, const D: usize>(
        &self,
        time: T,
        families: &mut [Box<dyn Family<T, B, D>>],
        bodies: &mut [Moving<T, B, D>],
        mut good: impl FnMut(&[Box<dyn Family<T, B, D>>], &[Moving<T, B, D>]) -> bool,
    ) -> Result<(), (usize, JointSingular)> {
        for iteration in 0..self.projections {
            if good(families, bodies) {
                break;
            }
            visit(families, iteration, |index, family, backwards| {
                let projected = family.project(time, bodies, backwards);
                projected.map_err(|singular| (index, singular))
            })?;
        }
        Ok(())
    }
}

/// All families in turn, every other iteration backwards.
fn visit<F: ?Sized, E>(
    families: &mut [Box<F>],
    iteration: usize,
    mut each: impl FnMut(usize, &mut F, bool) -> Result<(), E>,
) -> Result<(), E> {
    let backwards = !iteration.is_multiple_of(2);
    let last = families.len().saturating_sub(1);
    for k in 0..families.len() {
        let index = if backwards { last - k } else { k };
        each(index, &mut families[index], backwards)?;
    }
    Ok(())
}
