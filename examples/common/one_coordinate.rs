//! A system of one generalized coordinate without constraints, for the forms derived by hand.

use constraint_runtime::prelude::*;

/// Equation of motion q̈ = a(q, q̇) with its energy.
///
/// A free coordinate is a [`System`] without constraints, so the runtime's own integrators and
/// meters serve for it too: what differs in a comparison is then the equations alone.
pub struct OneCoordinate<A, K, U> {
    /// q̈ for q and q̇.
    pub acceleration: A,
    /// Kinetic energy for q and q̇, in J.
    pub kinetic_energy: K,
    /// Potential energy for q, in J.
    pub potential_energy: U,
}

type One = SVector<f64, 1>;

impl<A, K, U> Dynamics<f64> for OneCoordinate<A, K, U>
where
    A: Fn(f64, f64) -> f64,
    K: Fn(f64, f64) -> f64,
    U: Fn(f64) -> f64,
{
    type Q = SVector<f64, 1>;
    type V = SVector<f64, 1>;
    type Coordinates = One;
    type Velocities = One;
    fn acceleration(&self, _t: f64, q: &One, v: &One) -> Result<One, Error> {
        Ok([(self.acceleration)(q[0], v[0])].into())
    }
    fn kinetic_energy(&self, _t: f64, q: &One, v: &One) -> f64 {
        (self.kinetic_energy)(q[0], v[0])
    }
    fn potential_energy(&self, _t: f64, q: &One) -> f64 {
        (self.potential_energy)(q[0])
    }
}

impl<A, K, U> Unconstrained for OneCoordinate<A, K, U> {}
