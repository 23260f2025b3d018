//! One particle on a constraint, as a [`System`].

use nalgebra::{SMatrix, SVector};

use crate::checks::check_mass;
use crate::constraint::{Constraint, names};
use crate::error::{Error, Names, Quantity, Singular};
use crate::load::{Free, Gravity, Load, Potential};
use crate::real::{Real, first_non_finite};
use crate::state::IntoGravity;
use crate::system::{Constrained, Dynamics, Properties, System};

/// A point mass, free until [`on`](Self::on) puts it on a constraint.
///
/// [`Simulation::new`](crate::Simulation::new) and [`Dynamics::validate`](crate::Dynamics::validate) reject a mass
/// that is not positive and finite.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// # mod by_hand { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/parabola.rs")); } use by_hand::Parabola;
/// let bead = Particle::new(0.5)
///     .on(Parabola)
///     .under_gravity([0.0, -9.81])
///     .under(|_t, _q, v| -0.1 * v);
/// let start = State::new(0.0, [-100.0, -100.0], [0.0, 0.0]);
/// let mut run = Simulation::new(bead, start, Rk4::new(0.01))?;
/// run.run_until(1.0)?;
/// assert!(run.state().q.y < -100.0 && run.drift() < 1e-10);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Particle<T> {
    mass: T,
}

impl<T: Real> Particle<T> {
    /// A particle of the given mass.
    pub fn new(mass: T) -> Self {
        Self { mass }
    }

    /// The particle's mass.
    pub fn mass(&self) -> T {
        self.mass
    }

    /// This particle, held on `constraint`, under no external force yet.
    pub fn on<C, const N: usize, const M: usize>(
        self,
        constraint: C,
    ) -> ConstrainedParticle<T, C, Free, N, M>
    where
        C: Constraint<T, N, M>,
    {
        ConstrainedParticle {
            mass: self.mass,
            constraint,
            load: Free,
        }
    }
}

/// A particle of `N` coordinates on `M` equations, under the load `F`.
///
/// M v̇ = f + f̂ with M = m 1 and f̂ the constraint's own closed form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstrainedParticle<T, C, F, const N: usize, const M: usize> {
    mass: T,
    constraint: C,
    load: F,
}

impl<T, C, F, const N: usize, const M: usize> ConstrainedParticle<T, C, F, N, M>
where
    T: Real,
    C: Constraint<T, N, M>,
    F: Load<T, N>,
{
    /// Adds the external force `|t, q, v| force`.
    pub fn under<G>(self, force: G) -> ConstrainedParticle<T, C, F::With<G>, N, M>
    where
        G: Fn(T, &SVector<T, N>, &SVector<T, N>) -> SVector<T, N>,
    {
        self.with_load(force)
    }

    /// Adds the weight m g, and its potential energy −m g·q.
    pub fn under_gravity(
        self,
        g: impl IntoGravity<SVector<T, N>>,
    ) -> ConstrainedParticle<T, C, F::With<Gravity<T, N>>, N, M> {
        self.with_load(Gravity(g.into_gravity()))
    }

    /// Adds the potential energy `|q| energy` of a force given by [`under`](Self::under) to the energy.
    ///
    /// It exerts no force: give the force −∇U itself.
    pub fn with_potential<U>(
        self,
        energy: U,
    ) -> ConstrainedParticle<T, C, F::With<Potential<U>>, N, M>
    where
        U: Fn(&SVector<T, N>) -> T,
    {
        self.with_load(Potential(energy))
    }

    /// The constraint the particle is held on.
    pub fn constraint(&self) -> &C {
        &self.constraint
    }

    /// The particle's mass.
    pub fn mass(&self) -> T {
        self.mass
    }

    fn with_load<G>(self, load: G) -> ConstrainedParticle<T, C, F::With<G>, N, M> {
        ConstrainedParticle {
            mass: self.mass,
            constraint: self.constraint,
            load: self.load.with(load),
        }
    }

    fn external_force(
        &self,
        t: T,
        q: &SVector<T, N>,
        v: &SVector<T, N>,
    ) -> Result<SVector<T, N>, Error> {
        external_force(&self.load, self.mass, (t, q, v))
    }

    /// The error of the constraint; where a number is not finite, the expression that is the reason.
    #[cold]
    fn refused(&self, (t, q, v): (T, &SVector<T, N>, &SVector<T, N>), error: Singular) -> Error {
        if let (false, Err(corner)) = (
            error.pivot.is_finite(),
            self.constraint.check_defined(t, q, v),
        ) {
            return corner;
        }
        error.into()
    }

    fn inverse_masses(&self) -> SVector<T, N> {
        SVector::repeat(T::one() / self.mass)
    }
}

/// The force of a load on a particle, if it is finite.
pub(crate) fn external_force<T: Real, const N: usize>(
    load: &impl Load<T, N>,
    mass: T,
    (t, q, v): (T, &SVector<T, N>, &SVector<T, N>),
) -> Result<SVector<T, N>, Error> {
    let force = load.force(mass, t, q, v);
    match first_non_finite(&force) {
        None => Ok(force),
        Some((index, value)) => Err(Error::NonFinite {
            quantity: Quantity::Force,
            index,
            names: None,
            value,
            time: None,
        }),
    }
}

#[diagnostic::do_not_recommend]
impl<T, C, F, const N: usize, const M: usize> Dynamics<T> for ConstrainedParticle<T, C, F, N, M>
where
    T: Real,
    C: Constraint<T, N, M>,
    F: Load<T, N>,
{
    type Q = SVector<T, N>;
    type V = SVector<T, N>;
    type Coordinates = SVector<T, N>;
    type Velocities = SVector<T, N>;

    const PROPERTIES: Properties = Properties {
        forces_ignore_velocity: F::IGNORES_VELOCITY,
        ..Properties::NONE
    };

    #[inline]
    fn acceleration(&self, t: T, q: &Self::Q, v: &Self::V) -> Result<Self::V, Error> {
        let f = self.external_force(t, q, v)?;
        let f_hat = self.constraint.particle_force(t, q, v, self.mass, &f);
        let f_hat = f_hat.map_err(|it| self.refused((t, q, v), it))?;
        Ok((f + f_hat) * (T::one() / self.mass))
    }

    fn check_defined(&self, t: T, q: &Self::Q, v: &Self::V) -> Result<(), Error> {
        self.constraint.check_defined(t, q, v)
    }

    fn kinetic_energy(&self, _t: T, _q: &Self::Q, v: &Self::V) -> T {
        T::lit(0.5) * self.mass * v.dot(v)
    }

    fn potential_energy(&self, t: T, q: &Self::Q) -> T {
        self.load.potential(self.mass, t, q)
    }

    fn names(&self, quantity: Quantity) -> Option<&'static [Names]> {
        let own = matches!(
            quantity,
            Quantity::Coordinate | Quantity::Velocity | Quantity::Force
        );
        let names: &'static [Names] = const { &names::<N>(C::NAMES) };
        (own && !C::NAMES.is_empty()).then_some(names)
    }

    fn validate(&self) -> Result<(), Error> {
        check_mass(self.mass)
    }
}

#[diagnostic::do_not_recommend]
impl<T, C, F, const N: usize, const M: usize> System<T> for ConstrainedParticle<T, C, F, N, M>
where
    T: Real,
    C: Constraint<T, N, M>,
    F: Load<T, N>,
{
}

#[diagnostic::do_not_recommend]
impl<T, C, F, const N: usize, const M: usize> Constrained<T> for ConstrainedParticle<T, C, F, N, M>
where
    T: Real,
    C: Constraint<T, N, M>,
    F: Load<T, N>,
{
    type Rows = SVector<T, M>;
    type Jacobian = SMatrix<T, M, N>;
    type Multipliers = Self::Rows;

    fn multipliers(&self, t: T, q: &Self::Q, v: &Self::V) -> Result<Self::Rows, Error> {
        let (w, f) = (self.inverse_masses(), self.external_force(t, q, v)?);
        let lambda = self.constraint.multipliers(t, q, v, &w, &f);
        lambda.map_err(|it| self.refused((t, q, v), it))
    }

    fn acceleration_and_multipliers(
        &self,
        t: T,
        q: &Self::Q,
        v: &Self::V,
    ) -> Result<(Self::V, Self::Rows), Error> {
        let (w, f) = (self.inverse_masses(), self.external_force(t, q, v)?);
        let lambda = self.constraint.multipliers(t, q, v, &w, &f);
        let lambda = lambda.map_err(|it| self.refused((t, q, v), it))?;
        let held = self.constraint.jacobian(t, q).tr_mul(&lambda);
        Ok(((f + held) * (T::one() / self.mass), lambda))
    }

    fn constraint_force(&self, t: T, q: &Self::Q, v: &Self::V) -> Result<Self::V, Error> {
        let f = self.external_force(t, q, v)?;
        let force = self.constraint.particle_force(t, q, v, self.mass, &f);
        force.map_err(|it| self.refused((t, q, v), it))
    }

    #[inline]
    fn constraint(&self, t: T, q: &Self::Q) -> Self::Rows {
        self.constraint.value(t, q)
    }

    #[inline]
    fn constraint_rate(&self, t: T, q: &Self::Q, v: &Self::V) -> Self::Rows {
        self.constraint.rate(t, q, v)
    }

    #[inline]
    fn jacobian(&self, t: T, q: &Self::Q) -> Self::Jacobian {
        self.constraint.jacobian(t, q)
    }

    #[inline]
    fn bias(&self, t: T, q: &Self::Q, v: &Self::V) -> Self::Rows {
        self.constraint.bias(t, q, v)
    }

    // Equal masses cancel from W Jᵀ (J W Jᵀ)⁻¹ b, so that W = 1 gives the same change.
    #[inline]
    fn correction(&self, t: T, q: &Self::Q, b: &Self::Rows) -> Result<Self::V, Error> {
        let x = self.constraint.solve(t, q, &SVector::repeat(T::one()), b)?;
        Ok(self.constraint.jacobian(t, q).tr_mul(&x))
    }

    fn free_acceleration(&self, t: T, q: &Self::Q, v: &Self::V) -> Result<Self::V, Error> {
        Ok(self.external_force(t, q, v)? * (T::one() / self.mass))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn the_components_of_a_place_are_told_by_name() {
        let rod = constraint!(|a: Point2, b: Point2| norm(b - a) == 1);
        let bead = Particle::new(1.0).on(rod);
        let names = Dynamics::<f64>::names(&bead, Quantity::Velocity).unwrap();
        assert_eq!(
            names,
            ["a.x", "a.y", "b.x", "b.y"].map(|name| Names::of(name, &[""]))
        );
    }
}
