//! Comparisons of rows with their sizes, lane by lane, and lanes that have converged before others.

use nalgebra::SimdBool;

use crate::allowance::OWN_EPSILONS;
use crate::error::{Error, Row};
use crate::real::{
    Real, first_bad_lane, first_non_finite, is_finite, is_plainly_finite, lane_value,
};
use crate::vector::Vector;

/// A residual of this part of a row's size cannot have changed that size by much.
pub(super) const SMALL_PART: f64 = 1e-2;

/// Lanes that have converged while others continue: each gives the same result as alone, to the last bit.
pub(crate) struct Resting<T: Real>(T::SimdBool);

impl<T: Real> Resting<T> {
    pub(crate) fn none() -> Self {
        Self(no_lanes::<T>())
    }

    /// True if C [is negligible](is_negligible) in all lanes, or was; the lanes in which it is are resting, and C is
    /// zero there.
    #[inline(always)]
    pub(super) fn is_solved<M: Vector<Scalar = T>>(
        &mut self,
        c: &mut M,
        sizes: &M,
        tolerance: T,
    ) -> bool {
        if T::LANES == 1 {
            return is_negligible(c, sizes, tolerance);
        }
        let negligible = negligible(c, sizes, tolerance);
        self.join(negligible, c)
    }

    /// True if all lanes rest once these do; C is zero in those that do.
    #[inline(always)]
    pub(super) fn join<M: Vector<Scalar = T>>(&mut self, lanes: T::SimdBool, c: &mut M) -> bool {
        self.0 = self.0 | lanes;
        if self.0.all() {
            return true;
        }
        if self.0.any() {
            c.update(|_, c| T::zero().select(self.0, c));
        }
        false
    }

    /// True if all lanes rest once these do.
    pub(crate) fn all_with(&mut self, lanes: T::SimdBool) -> bool {
        if T::LANES > 1 {
            self.0 = self.0 | lanes;
            return self.0.all();
        }
        lanes.all()
    }

    /// Changes `x` in the lanes that do not rest.
    #[inline(always)]
    pub(super) fn while_others<X: Vector<Scalar = T>>(
        &self,
        x: &mut X,
        change: impl FnOnce(&mut X) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if T::LANES == 1 || self.0.none() {
            return change(x);
        }
        let before = x.clone();
        change(x)?;
        self.keep(&before, x);
        Ok(())
    }

    /// Restores in `x` the value `before` in the lanes that rest.
    pub(crate) fn keep<X: Vector<Scalar = T>>(&self, before: &X, x: &mut X) {
        if T::LANES > 1 {
            x.update(|i, x| before[i].select(self.0, x));
        }
    }
}

/// No lane.
pub(super) fn no_lanes<T: Real>() -> T::SimdBool {
    T::zero().simd_ne(T::zero())
}

/// Updates the sizes of rows in the lanes in which C was a considerable part of them.
pub(super) fn renew<T: Real, M: Vector<Scalar = T>>(sizes: &mut M, renewed: &M, c: &M) {
    if T::LANES == 1 {
        sizes.assign(renewed);
        return;
    }
    let small = within(c, |i| sizes[i] * T::lit(SMALL_PART));
    sizes.update(|i, size| size.select(small, renewed[i]));
}

/// A few ε times the size of each row, or `tolerance` if that is larger.
pub(super) fn rounding<T: Real, M: Vector<Scalar = T>>(sizes: &M, tolerance: T) -> M {
    let epsilon = T::lit(OWN_EPSILONS) * T::simd_default_epsilon();
    sizes.like(|i| (sizes[i] * epsilon).simd_max(tolerance))
}

/// True if C is finite and no more than its [rounding], in all rows and lanes.
#[inline]
pub(super) fn is_negligible<T: Real, M: Vector<Scalar = T>>(
    c: &M,
    sizes: &M,
    tolerance: T,
) -> bool {
    let epsilon = T::lit(OWN_EPSILONS) * T::simd_default_epsilon();
    let good = |i: usize, c: T| c.simd_le(sizes[i] * epsilon) | c.simd_le(tolerance);
    all(c, |i| good(i, c[i].simd_abs())).all()
        && (is_plainly_finite(c) || first_non_finite(c).is_none())
}

/// The lanes in which C is negligible.
#[inline]
pub(super) fn negligible<T: Real, M: Vector<Scalar = T>>(
    c: &M,
    sizes: &M,
    tolerance: T,
) -> T::SimdBool {
    let epsilon = T::lit(OWN_EPSILONS) * T::simd_default_epsilon();
    let good = |c: T, size: T| {
        let small = c.simd_abs();
        (small.simd_le(size * epsilon) | small.simd_le(tolerance)) & is_finite(c)
    };
    all(c, |i| good(c[i], sizes[i]))
}

/// True if |xᵢ| ≤ allowedᵢ in all rows and lanes.
#[inline]
pub(super) fn is_within<T: Real, X: Vector<Scalar = T>>(
    x: &X,
    allowed: impl Fn(usize) -> T,
) -> bool {
    within(x, allowed).all()
}

/// The lanes in which |xᵢ| ≤ allowedᵢ in all rows.
#[inline]
pub(super) fn within<T: Real, X: Vector<Scalar = T>>(
    x: &X,
    allowed: impl Fn(usize) -> T,
) -> T::SimdBool {
    all(x, |i| x[i].simd_abs().simd_le(allowed(i)))
}

/// The lanes in which all entries are good, given by their index.
#[inline]
pub(super) fn all<T: Real, X: Vector<Scalar = T>>(
    x: &X,
    good: impl Fn(usize) -> T::SimdBool,
) -> T::SimdBool {
    // Without a branch for each row, the processor compares several at once.
    let all = T::zero().simd_eq(T::zero());
    (0..x.entries().len()).fold(all, |all, i| all & good(i))
}

/// Among the rows with |xᵢ| > allowedᵢ in some lane, the largest: row, value, allowance.
pub(super) fn worst_row<T: Real, M: Vector<Scalar = T>>(
    x: &M,
    allowed: &M,
) -> Option<(Row, f64, f64)> {
    let mut worst: Option<(Row, f64, f64)> = None;
    for i in 0..x.entries().len() {
        let good = x[i].simd_abs().simd_le(allowed[i]);
        if let Some(lane) = first_bad_lane::<T>(good) {
            let value = lane_value(x[i], lane);
            if worst.is_none_or(|(_, most, _)| value.is_nan() || value.abs() > most.abs()) {
                worst = Some((i.into(), value, lane_value(allowed[i], lane)));
            }
        }
    }
    worst
}
