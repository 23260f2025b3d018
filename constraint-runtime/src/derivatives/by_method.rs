//! The error of a method call on a system without derivatives.

use core::borrow::Borrow;

use crate::derivatives::{Derivatives, OutputDerivatives};
use crate::error::Error;
use crate::real::Real;
use crate::system::Constrained;

/// The methods of [`Derivatives`] and [`OutputDerivatives`] on every system: without them, a call on a system
/// without derivatives would be a missing method; with them, the error says what to write.
///
/// No call on a system with derivatives comes here: `self` is `&mut S`, which a call tries after `&S`.
#[doc(hidden)]
pub trait DerivativesByMethod<T: Real, S: Constrained<T>>: Borrow<S> + Sized {
    fn linearize(self, t: T, q: &S::Q, v: &S::V) -> Result<S::Linearization, Error>
    where
        S: Derivatives<T>,
    {
        Derivatives::linearize(self.borrow(), t, q, v)
    }

    fn linearize_with_multipliers(
        self,
        t: T,
        q: &S::Q,
        v: &S::V,
    ) -> Result<(S::Linearization, S::MultiplierLinearization), Error>
    where
        S: Derivatives<T>,
    {
        Derivatives::linearize_with_multipliers(self.borrow(), t, q, v)
    }

    fn jvp(self, t: T, q: &S::Q, v: &S::V, tangent: &S::Tangent) -> Result<(S::V, S::Rows), Error>
    where
        S: Derivatives<T>,
    {
        Derivatives::jvp(self.borrow(), t, q, v, tangent)
    }

    fn vjp(
        self,
        t: T,
        q: &S::Q,
        v: &S::V,
        v_dot_bar: &S::V,
        lambda_bar: &S::Rows,
    ) -> Result<S::Tangent, Error>
    where
        S: Derivatives<T>,
    {
        Derivatives::vjp(self.borrow(), t, q, v, v_dot_bar, lambda_bar)
    }

    fn linearize_with_outputs(
        self,
        t: T,
        q: &S::Q,
        v: &S::V,
    ) -> Result<(S::Linearization, S::OutputLinearization), Error>
    where
        S: OutputDerivatives<T>,
    {
        OutputDerivatives::linearize_with_outputs(self.borrow(), t, q, v)
    }

    fn outputs_jvp(
        self,
        t: T,
        q: &S::Q,
        v: &S::V,
        tangent: &S::Tangent,
    ) -> Result<S::Outputs, Error>
    where
        S: OutputDerivatives<T>,
    {
        OutputDerivatives::outputs_jvp(self.borrow(), t, q, v, tangent)
    }

    fn outputs_vjp(
        self,
        t: T,
        q: &S::Q,
        v: &S::V,
        outputs_bar: &S::Outputs,
    ) -> Result<S::Tangent, Error>
    where
        S: OutputDerivatives<T>,
    {
        OutputDerivatives::outputs_vjp(self.borrow(), t, q, v, outputs_bar)
    }
}

impl<T: Real, S: Constrained<T>> DerivativesByMethod<T, S> for &mut S {}
