//! External forces on a particle, with the potential energy of those that have one.

use nalgebra::SVector;

use crate::real::Real;

/// An external force on one particle of `N` coordinates.
///
/// Every closure `|t, q, v| force` is a load: it returns components along the coordinates' axes and takes time,
/// position and velocity in that order.
/// Loads add up.
///
/// - Units: N for coordinates in m; a potential is in J, and its force −∂U/∂q.
pub trait Load<T: Real, const N: usize> {
    /// This load together with `Other`.
    type With<Other>;

    /// True if the force does not depend on the velocity.
    const IGNORES_VELOCITY: bool = false;

    /// Force on a particle of mass `m`.
    fn force(&self, m: T, t: T, q: &SVector<T, N>, v: &SVector<T, N>) -> SVector<T, N>;

    /// Potential energy, for loads that have one.
    fn potential(&self, _m: T, _t: T, _q: &SVector<T, N>) -> T {
        T::zero()
    }

    /// Adds `other` to this load.
    fn with<Other>(self, other: Other) -> Self::With<Other>;
}

/// No external force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Free;

/// The force m g of a uniform field g, with the potential −m g·q.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gravity<T, const N: usize>(pub SVector<T, N>);

/// Potential energy `U(q)` that exerts no force of its own: add the force −∂U/∂q as a closure.
#[derive(Clone, Copy, Debug)]
pub struct Potential<U>(pub U);

/// Two loads at once.
#[derive(Clone, Copy, Debug)]
pub struct Sum<A, B>(pub A, pub B);

impl<T: Real, const N: usize> Load<T, N> for Free {
    type With<Other> = Other;
    const IGNORES_VELOCITY: bool = true;

    #[inline(always)]
    fn force(&self, _m: T, _t: T, _q: &SVector<T, N>, _v: &SVector<T, N>) -> SVector<T, N> {
        SVector::zeros()
    }

    fn with<Other>(self, other: Other) -> Other {
        other
    }
}

impl<T, F, const N: usize> Load<T, N> for F
where
    T: Real,
    F: Fn(T, &SVector<T, N>, &SVector<T, N>) -> SVector<T, N>,
{
    type With<Other> = Sum<Self, Other>;

    #[inline(always)]
    fn force(&self, _m: T, t: T, q: &SVector<T, N>, v: &SVector<T, N>) -> SVector<T, N> {
        self(t, q, v)
    }

    fn with<Other>(self, other: Other) -> Sum<Self, Other> {
        Sum(self, other)
    }
}

impl<T: Real, const N: usize> Load<T, N> for Gravity<T, N> {
    type With<Other> = Sum<Self, Other>;
    const IGNORES_VELOCITY: bool = true;

    #[inline(always)]
    fn force(&self, m: T, _t: T, _q: &SVector<T, N>, _v: &SVector<T, N>) -> SVector<T, N> {
        self.0 * m
    }

    #[inline]
    fn potential(&self, m: T, _t: T, q: &SVector<T, N>) -> T {
        -m * self.0.dot(q)
    }

    fn with<Other>(self, other: Other) -> Sum<Self, Other> {
        Sum(self, other)
    }
}

impl<T, U, const N: usize> Load<T, N> for Potential<U>
where
    T: Real,
    U: Fn(&SVector<T, N>) -> T,
{
    type With<Other> = Sum<Self, Other>;
    const IGNORES_VELOCITY: bool = true;

    #[inline(always)]
    fn force(&self, _m: T, _t: T, _q: &SVector<T, N>, _v: &SVector<T, N>) -> SVector<T, N> {
        SVector::zeros()
    }

    #[inline]
    fn potential(&self, _m: T, _t: T, q: &SVector<T, N>) -> T {
        self.0(q)
    }

    fn with<Other>(self, other: Other) -> Sum<Self, Other> {
        Sum(self, other)
    }
}

impl<T, A, B, const N: usize> Load<T, N> for Sum<A, B>
where
    T: Real,
    A: Load<T, N>,
    B: Load<T, N>,
{
    type With<Other> = Sum<Self, Other>;
    const IGNORES_VELOCITY: bool = A::IGNORES_VELOCITY && B::IGNORES_VELOCITY;

    #[inline(always)]
    fn force(&self, m: T, t: T, q: &SVector<T, N>, v: &SVector<T, N>) -> SVector<T, N> {
        self.0.force(m, t, q, v) + self.1.force(m, t, q, v)
    }

    #[inline]
    fn potential(&self, m: T, t: T, q: &SVector<T, N>) -> T {
        self.0.potential(m, t, q) + self.1.potential(m, t, q)
    }

    fn with<Other>(self, other: Other) -> Sum<Self, Other> {
        Sum(self, other)
    }
}
