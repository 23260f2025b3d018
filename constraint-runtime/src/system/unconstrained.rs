//! Systems without constraints.

use nalgebra::{SMatrix, SVector};

use super::{Constrained, Dynamics, System};
use crate::derivatives::DescriptorMatrix;
use crate::error::Error;
use crate::impulse::ImpulseRows;
use crate::real::Real;
use crate::vector::Vector;

/// [`Dynamics`] without constraints: nothing else is needed to be a [`System`].
///
/// There are no rows to violate, so stabilisation does nothing.
pub trait Unconstrained: WithoutRows {}

/// What `system!` implements where all rows are of one side, so that the system is [`Constrained`] and no [`System`].
#[doc(hidden)]
pub trait WithoutRows {}

impl<S: Unconstrained> WithoutRows for S {}

#[diagnostic::do_not_recommend]
impl<T: Real, S: Dynamics<T> + Unconstrained> System<T> for S {}

#[diagnostic::do_not_recommend]
impl<T: Real, S: Dynamics<T> + WithoutRows> Constrained<T> for S {
    type Rows = SVector<T, 0>;
    type Jacobian = SMatrix<T, 0, 0>;
    type Multipliers = Self::Rows;

    fn multipliers(&self, _t: T, _q: &S::Q, _v: &S::V) -> Result<Self::Rows, Error> {
        Ok(SVector::zeros())
    }

    fn constraint_force(&self, _t: T, _q: &S::Q, v: &S::V) -> Result<S::V, Error> {
        Ok(v.zeros_like())
    }

    fn constraint(&self, _t: T, _q: &S::Q) -> Self::Rows {
        SVector::zeros()
    }

    fn constraint_rate(&self, _t: T, _q: &S::Q, _v: &S::V) -> Self::Rows {
        SVector::zeros()
    }

    fn jacobian(&self, _t: T, _q: &S::Q) -> Self::Jacobian {
        SMatrix::zeros()
    }

    fn bias(&self, _t: T, _q: &S::Q, _v: &S::V) -> Self::Rows {
        SVector::zeros()
    }

    /// No change, of a length that only the velocities have: nothing calls it.
    fn correction(&self, _t: T, _q: &S::Q, _b: &Self::Rows) -> Result<S::V, Error> {
        Ok(S::V::blank())
    }

    fn projected_motion(&self, t: T, q: &S::Q, v: &S::V) -> Result<(S::V, S::V), Error> {
        Ok((v.clone(), self.acceleration(t, q, v)?))
    }

    fn free_acceleration(&self, t: T, q: &S::Q, v: &S::V) -> Result<S::V, Error> {
        self.acceleration(t, q, v)
    }

    fn write_descriptor(
        &self,
        t: T,
        q: &S::Q,
        v: &S::V,
        a: &S::V,
        _lambda: &Self::Rows,
        entry: &mut impl FnMut(DescriptorMatrix, usize, usize, T),
    ) {
        self.write_unconstrained_descriptor(t, q, v, a, entry);
    }

    fn inverse_dynamics(&self, t: T, q: &S::Q, v: &S::V, a: &S::V) -> Result<S::V, Error> {
        self.unconstrained_inverse_dynamics(t, q, v, a)
    }

    fn impulse_rows(&self, _t: T, _q: &S::Q, _rows: &mut ImpulseRows<T>) -> Result<(), Error> {
        Ok(())
    }

    fn row_sizes(&self, _t: T, _q: &S::Q) -> Self::Rows {
        SVector::zeros()
    }
}
