//! The scalar of generated code and the lane-wise questions the runtime asks of it.

use nalgebra::{SVector, SimdBool, SimdRealField};

/// Scalar of everything generated: `f32`, `f64`, SIMD lanes and dual numbers.
///
/// Implemented for every [`SimdRealField`] that is `Copy`; there is nothing to implement by hand.
/// With a SIMD scalar every lane is a system of its own, and one bad lane is an error for all.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// fn half<T: Real>(x: T) -> T {
///     T::lit(0.5) * x
/// }
/// assert_eq!(half(3.0_f32), 1.5);
/// ```
pub trait Real: SimdRealField + Copy {
    /// The scalar nearest to `value`, in every lane.
    #[inline(always)]
    fn lit(value: f64) -> Self {
        nalgebra::convert(value)
    }
}

impl<T: SimdRealField + Copy> Real for T {}

/// Lane `lane` of `x` as the nearest `f64`, for error messages.
pub(crate) fn lane_value<T: Real>(x: T, lane: usize) -> f64 {
    T::splat(x.extract(lane)).to_subset_unchecked()
}

/// The first lane in which `good` does not hold.
#[inline(always)]
pub(crate) fn first_bad_lane<T: Real>(good: T::SimdBool) -> Option<usize> {
    if good.all() {
        return None;
    }
    Some((!good.bitmask()).trailing_zeros() as usize)
}

/// The first lane of `x` in which `good` does not hold, as an `f64`.
#[inline(always)]
pub(crate) fn first_bad<T: Real>(x: T, good: T::SimdBool) -> Option<f64> {
    first_bad_lane::<T>(good).map(|lane| lane_value(x, lane))
}

/// Lanes in which `x` is neither infinite nor NaN.
#[inline(always)]
pub(crate) fn is_finite<T: Real>(x: T) -> T::SimdBool {
    // ∞ · 0 and NaN · 0 are NaN, which equals nothing.
    (x * T::zero()).simd_eq(T::zero())
}

/// The first entry of `x` with a lane that is not finite: its index and value.
#[inline]
pub(crate) fn first_non_finite<T: Real, const N: usize>(x: &SVector<T, N>) -> Option<(usize, f64)> {
    (0..N).find_map(|i| Some((i, first_bad(x[i], is_finite(x[i]))?)))
}

/// Largest absolute entry, lane by lane; NaN counts as infinite.
#[inline]
pub(crate) fn largest<T: Real, const N: usize>(x: &SVector<T, N>) -> T {
    x.iter().fold(T::zero(), |most, &entry| {
        let size = entry.simd_abs();
        // `simd_max` may drop a NaN on either side, a comparison does not.
        let size = size.select(size.simd_eq(size), T::lit(f64::INFINITY));
        size.simd_max(most)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_that_is_not_finite_is_found() {
        let x = SVector::<f64, 3>::new(1.0, f64::NEG_INFINITY, f64::NAN);
        assert_eq!(first_non_finite(&x), Some((1, f64::NEG_INFINITY)));
        assert_eq!(first_non_finite(&SVector::<f32, 2>::new(1e30, -0.0)), None);
    }

    #[test]
    fn the_largest_entry_takes_nan_for_infinite() {
        assert_eq!(largest(&SVector::<f64, 3>::new(1.0, -4.0, 2.0)), 4.0);
        assert_eq!(
            largest(&SVector::<f64, 3>::new(1.0, f64::NAN, 2.0)),
            f64::INFINITY
        );
    }
}
