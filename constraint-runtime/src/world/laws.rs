//! How far the impulses of contacts are from the laws of contact.

use super::World;
use super::body::Massive;
use super::touching::Touching;
use crate::real::Real;

/// How far the impulses of the last step are from the laws of contact, each as a speed, of the worst contact: see
/// [`World::contact_residuals`].
///
/// With m the mobility G W Gᵀ of a row, s its rate after the impulses, and low the least rate of the gap:
///
/// ```text
/// signorini     |min(m Λₙ, sₙ − low)|           a contact pushes or opens
/// coulomb       m max(0, |Λₜ| − μ Λₙ)           the impulse lies in the cone
/// dissipation   |sₜ| + Λₜ·sₜ/(μ Λₙ)             friction lies against the slip, as strong as it may be
/// ```
///
/// # Source
/// Q. Le Lidec et al., *Contact Models in Robotics: a Comparative Analysis*, arXiv 2304.06372, section II, for the three laws;
/// V. Acary, F. Cadoux, C. Lemaréchal, J. Malick, *A formulation of the linear discrete Coulomb friction problem via convex
/// optimization*, ZAMM 91, 2011, for the complementarity as a minimum. Impulses are scaled to speeds here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactResiduals<T = f64> {
    /// A contact that pulls, or pushes while it opens, or closes further than it may.
    pub signorini: T,
    /// Friction beyond Coulomb's cone.
    pub coulomb: T,
    /// Friction that does not dissipate the most.
    pub dissipation: T,
}

impl<T: Real> ContactResiduals<T> {
    pub(super) fn none() -> Self {
        let zero = T::zero();
        Self {
            signorini: zero,
            coulomb: zero,
            dissipation: zero,
        }
    }

    fn larger(self, other: Self) -> Self {
        Self {
            signorini: self.signorini.simd_max(other.signorini),
            coulomb: self.coulomb.simd_max(other.coulomb),
            dissipation: self.dissipation.simd_max(other.dissipation),
        }
    }

    fn of<const D: usize>(contact: &Touching<T, D>, [gap, x, y]: [T; 3]) -> Self {
        let ([normal, along, across], [mobility, slip]) = (contact.impulse, contact.mobility);
        let (zero, bound) = (T::zero(), contact.friction * normal);
        let friction = (along * along + across * across).simd_sqrt();
        let work = (x * x + y * y).simd_sqrt() + (along * x + across * y) / bound;
        Self {
            signorini: (mobility * normal).simd_min(gap - contact.low).simd_abs(),
            coulomb: slip * (friction - bound).simd_max(zero),
            dissipation: work.simd_max(zero).select(bound.simd_gt(zero), zero),
        }
    }
}

impl<T: Real, B: Massive<T, D>, const D: usize> World<T, B, D> {
    /// How far the impulses of the last step are from Signorini's law, Coulomb's cone and the greatest dissipation; zero without
    /// contacts.
    ///
    /// Where less is returned than Newton's law says, the gap's least rate is what was returned.
    ///
    /// ```
    /// use constraint_runtime::Contact2;
    /// use constraint_runtime::prelude::*;
    ///
    /// let mut world = World2::<f64>::new().with_gravity([2.0, -9.81]);
    /// let floor = world.add(Body2::fixed(Rigid2::identity()))?;
    /// let block = world.add(Body2::new(Inertia2::new(2.0, 0.3)?, Rigid2::translation(0.0, 0.5)))?;
    /// let mut world = world.with_contacts(move |world, found| {
    ///     let Ok(pose) = world.pose(block) else { return };
    ///     for (feature, x) in [(0, -0.5), (1, 0.5)] {
    ///         let corner = pose * Point2::new(x, -0.5);
    ///         let contact = Contact2::new([floor, block], corner.coords, [0.0, 1.0], corner.y);
    ///         found.push(contact.with_friction(0.1).with_feature(feature));
    ///     }
    /// });
    /// world.run_until(0.1, 1e-3)?; // it slides
    /// let residuals = world.contact_residuals();
    /// assert!(residuals.signorini < 1e-10 && residuals.coulomb < 1e-15 && residuals.dissipation < 1e-10);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn contact_residuals(&self) -> ContactResiduals<T> {
        self.laws
    }

    /// Measures the laws at the velocities after the impulses of one part of the step.
    pub(super) fn measure_laws(&mut self) {
        let bodies = &self.bodies;
        let all = self.contacts.iter().map(|contact| {
            let rates = [0, 1, 2].map(|row| contact.row(row).rate(bodies));
            ContactResiduals::of(contact, rates)
        });
        self.laws = all.fold(self.laws, ContactResiduals::larger);
    }
}
