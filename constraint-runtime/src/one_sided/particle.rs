//! A particle that constraints of one side hold.

use core::ops::MulAssign;

use nalgebra::SVector;

use super::{OneSided, RowKind};
use crate::checks::check_mass;
use crate::error::{Error, Names, Quantity};
use crate::load::{Free, Gravity, Load, Potential};
use crate::particle::{Particle, external_force};
use crate::real::Real;
use crate::state::IntoGravity;
use crate::system::{Dynamics, Properties, WithoutRows};

/// Constraints of one side on points of `N` coordinates: `constraint!` with `>=` or `<=`.
///
/// The type is the system of these points, each of mass 1 and without forces, so that a
/// [`ContactSimulation`](crate::ContactSimulation) runs it; [`Particle::bounded_by`] gives it another mass, and forces.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no constraint of one side on points",
    note = "write `constraint! {{ struct Floor; |x, y| y >= 0 }}`"
)]
pub trait OneSidedConstraint<T: Real, const N: usize>:
    OneSided<T, Q = SVector<T, N>, V = SVector<T, N>, Responses: MulAssign<T>>
{
}

/// A particle of `N` coordinates within constraints of one side, under the load `F`.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// constraint! {
///     /// A bowl in which things slide.
///     struct Bowl { r: Real, mu: Real }
///     |p: Point2| norm(p) <= r { friction: mu }
/// }
/// // Released at 60° from the lowest point, a bead without friction passes there with v² = 2 g r (1 − cos 60°).
/// let bowl = Bowl { r: 2.0, mu: 0.0 };
/// let bead = Particle::new(0.1).bounded_by(bowl).under_gravity([0.0, -9.81]);
/// let start = State::new(0.0, [3.0_f64.sqrt(), -1.0], [0.0, 0.0]);
/// let mut run = ContactSimulation::new(bead, start, Rk4::new(1e-3))?;
/// run.run_until(1.0)?;
/// let State { q, v, .. } = run.state();
/// assert!((v.norm_squared() - 2.0 * 9.81 * (-1.0 - q.y)).abs() < 1e-9);
/// // The bowl carries m g cos θ + m v²/r.
/// let force = 0.1 * (9.81 * -q.y / 2.0 + v.norm_squared() / 2.0);
/// assert!((run.contact_forces()?[0] - force).abs() < 1e-9);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundedParticle<T, C, F, const N: usize> {
    mass: T,
    constraint: C,
    load: F,
}

impl<T: Real> Particle<T> {
    /// This particle, kept by constraints of one side, under no external force yet.
    pub fn bounded_by<C, const N: usize>(self, constraint: C) -> BoundedParticle<T, C, Free, N>
    where
        C: OneSidedConstraint<T, N>,
    {
        BoundedParticle {
            mass: self.mass(),
            constraint,
            load: Free,
        }
    }
}

impl<T, C, F, const N: usize> BoundedParticle<T, C, F, N>
where
    T: Real,
    C: OneSidedConstraint<T, N>,
    F: Load<T, N>,
{
    /// Adds the external force `|t, q, v| force`.
    pub fn under<G>(self, force: G) -> BoundedParticle<T, C, F::With<G>, N>
    where
        G: Fn(T, &SVector<T, N>, &SVector<T, N>) -> SVector<T, N>,
    {
        self.with_load(force)
    }

    /// Adds the weight m g, and its potential energy −m g·q.
    pub fn under_gravity(
        self,
        g: impl IntoGravity<SVector<T, N>>,
    ) -> BoundedParticle<T, C, F::With<Gravity<T, N>>, N> {
        self.with_load(Gravity(g.into_gravity()))
    }

    /// Adds the potential energy `|q| energy` of a force given by [`under`](Self::under) to the energy.
    ///
    /// It exerts no force: give the force −∇U itself.
    pub fn with_potential<U>(self, energy: U) -> BoundedParticle<T, C, F::With<Potential<U>>, N>
    where
        U: Fn(&SVector<T, N>) -> T,
    {
        self.with_load(Potential(energy))
    }

    /// The constraint that the particle meets.
    pub fn constraint(&self) -> &C {
        &self.constraint
    }

    /// The particle's mass.
    pub fn mass(&self) -> T {
        self.mass
    }

    fn with_load<G>(self, load: G) -> BoundedParticle<T, C, F::With<G>, N> {
        BoundedParticle {
            mass: self.mass,
            constraint: self.constraint,
            load: self.load.with(load),
        }
    }
}

impl<T, C, F, const N: usize> WithoutRows for BoundedParticle<T, C, F, N> {}

#[diagnostic::do_not_recommend]
impl<T, C, F, const N: usize> Dynamics<T> for BoundedParticle<T, C, F, N>
where
    T: Real,
    C: OneSidedConstraint<T, N>,
    F: Load<T, N>,
{
    type Q = SVector<T, N>;
    type V = SVector<T, N>;
    type Coordinates = C::Coordinates;
    type Velocities = C::Velocities;

    const PROPERTIES: Properties = Properties {
        forces_ignore_velocity: F::IGNORES_VELOCITY,
        ..Properties::NONE
    };

    fn acceleration(&self, t: T, q: &Self::Q, v: &Self::V) -> Result<Self::V, Error> {
        Ok(external_force(&self.load, self.mass, (t, q, v))? * (T::one() / self.mass))
    }

    fn kinetic_energy(&self, _t: T, _q: &Self::Q, v: &Self::V) -> T {
        T::lit(0.5) * self.mass * v.dot(v)
    }

    fn potential_energy(&self, t: T, q: &Self::Q) -> T {
        self.load.potential(self.mass, t, q)
    }

    fn names(&self, quantity: Quantity) -> Option<&'static [Names]> {
        self.constraint.names(quantity)
    }

    fn validate(&self) -> Result<(), Error> {
        check_mass(self.mass)?;
        self.constraint.validate()
    }
}

#[diagnostic::do_not_recommend]
impl<T, C, F, const N: usize> OneSided<T> for BoundedParticle<T, C, F, N>
where
    T: Real,
    C: OneSidedConstraint<T, N>,
    F: Load<T, N>,
{
    type Sides = C::Sides;
    type AllRows = C::AllRows;
    type SideJacobian = C::SideJacobian;
    type Responses = C::Responses;
    type Reactions = C::Reactions;

    const GAPS: &'static [&'static str] = C::GAPS;
    const SLIPS: &'static [usize] = C::SLIPS;
    const KINDS: &'static [RowKind] = C::KINDS;

    fn gaps(&self, t: T, q: &Self::Q) -> Self::Sides {
        self.constraint.gaps(t, q)
    }

    fn gap_sizes(&self, t: T, q: &Self::Q) -> Self::Sides {
        self.constraint.gap_sizes(t, q)
    }

    fn one_sided_rates(&self, t: T, q: &Self::Q, v: &Self::V) -> Self::Sides {
        self.constraint.one_sided_rates(t, q, v)
    }

    fn one_sided_jacobian(&self, t: T, q: &Self::Q) -> Self::SideJacobian {
        self.constraint.one_sided_jacobian(t, q)
    }

    fn one_sided_bias(&self, t: T, q: &Self::Q, v: &Self::V) -> Self::Sides {
        self.constraint.one_sided_bias(t, q, v)
    }

    fn contact_coefficients(&self, t: T, q: &Self::Q) -> Self::Sides {
        self.constraint.contact_coefficients(t, q)
    }

    fn one_sided_responses(&self, t: T, q: &Self::Q) -> Result<Self::Responses, Error> {
        let mut responses = self.constraint.one_sided_responses(t, q)?;
        responses *= T::one() / self.mass;
        Ok(responses)
    }

    fn one_sided_reactions(&self, t: T, q: &Self::Q) -> Result<Self::Reactions, Error> {
        self.constraint.one_sided_reactions(t, q)
    }
}
