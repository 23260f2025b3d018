//! The scalar of generated code, and comparisons in all lanes that the runtime needs.

use core::any::TypeId;

use nalgebra::{SimdBool, SimdRealField};

use crate::vector::Vector;

/// Scalar of all generated code: `f32`, `f64`, SIMD lanes and dual numbers.
///
/// Implemented for every [`SimdRealField`] that is `Copy`, `Send` and `Sync`; there is nothing to implement by hand.
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
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a scalar for computations",
    label = "the scalar is `{Self}` here",
    note = "write numbers with a decimal point, as in `9.0`, and parameters as `f64`, `f32` or another `Real`"
)]
#[cfg_attr(
    not(any(feature = "std", feature = "libm")),
    diagnostic::on_unimplemented(note = "`f64` and `f32` need the feature `std` or `libm`")
)]
pub trait Real: SimdRealField<Element: SimdRealField> + Copy + Send + Sync {
    /// The scalar nearest to `value`, in every lane.
    #[inline(always)]
    fn lit(value: f64) -> Self {
        nalgebra::convert(value)
    }
}

impl<T: SimdRealField<Element: SimdRealField> + Copy + Send + Sync> Real for T {}

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

/// True if a scalar is only a number, and not, like a dual number, a number with derivatives.
#[inline(always)]
pub(crate) fn is_plain<T: Real>() -> bool {
    let element = TypeId::of::<T::Element>();
    element == TypeId::of::<f64>() || element == TypeId::of::<f32>()
}

/// The value of a scalar, a constant: without the derivatives that a dual number has.
#[inline(always)]
pub(crate) fn value<T: Real>(x: T) -> T {
    if is_plain::<T>() {
        return x;
    }
    let mut value = T::zero();
    for lane in 0..T::LANES {
        value.replace(lane, T::lit(lane_value(x, lane)).extract(lane));
    }
    value
}

/// The parts of a scalar other than its value: zero unless it is a dual number.
pub(crate) fn beside_value<T: Real>(x: T) -> T {
    x - value(x)
}

/// Lanes in which `x` is neither infinite nor NaN.
#[inline(always)]
pub(crate) fn is_finite<T: Real>(x: T) -> T::SimdBool {
    // ∞ · 0 and NaN · 0 are NaN, which equals nothing.
    (x * T::zero()).simd_eq(T::zero())
}

/// The first entry of `x` with a lane that is not finite: its index and value.
#[inline]
pub(crate) fn first_non_finite<T: Real, X: Vector<Scalar = T>>(x: &X) -> Option<(usize, f64)> {
    let x = x.entries();
    (0..x.len()).find_map(|i| Some((i, first_bad(x[i], is_finite(x[i]))?)))
}

/// True if all entries are clearly finite, by one comparison; `false` decides nothing.
///
/// A sum may overflow, but it cannot hide an infinite or NaN entry.
#[inline]
pub(crate) fn is_plainly_finite<T: Real, X: Vector<Scalar = T>>(x: &X) -> bool {
    are_plainly_finite(x.entries())
}

/// The same for any number of entries.
#[inline]
pub(crate) fn are_plainly_finite<T: Real>(x: &[T]) -> bool {
    // Four independent sums, which the processor adds in parallel.
    let mut sums = [T::zero(); 4];
    let (fours, rest) = x.as_chunks::<4>();
    for four in fours {
        for (sum, &entry) in sums.iter_mut().zip(four) {
            *sum += entry;
        }
    }
    let [a, b, c, d] = sums;
    let sum = rest.iter().fold((a + b) + (c + d), |sum, &x| sum + x);
    is_finite(sum).all()
}

/// Largest absolute entry, lane by lane; NaN counts as infinite.
#[inline]
pub(crate) fn largest<T: Real, X: Vector<Scalar = T>>(x: &X) -> T {
    largest_of(x.entries())
}

/// The same for any number of entries.
#[inline]
pub(crate) fn largest_of<T: Real>(x: &[T]) -> T {
    x.iter().fold(T::zero(), |most, &entry| {
        let size = entry.simd_abs();
        // `simd_max` may drop a NaN on either side, a comparison does not.
        let size = size.select(size.simd_eq(size), T::lit(f64::INFINITY));
        size.simd_max(most)
    })
}

#[cfg(test)]
mod tests {
    use nalgebra::SVector;

    use super::*;

    #[test]
    fn a_lane_that_is_not_finite_is_found() {
        let x = SVector::<f64, 3>::new(1.0, f64::NEG_INFINITY, f64::NAN);
        assert_eq!(first_non_finite(&x), Some((1, f64::NEG_INFINITY)));
        assert_eq!(first_non_finite(&SVector::<f32, 2>::new(1e30, -0.0)), None);
    }

    #[test]
    fn no_entry_that_is_not_finite_looks_finite() {
        for bad in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            for i in 0..7 {
                let mut x = SVector::<f64, 7>::repeat(1.0);
                assert!(is_plainly_finite(&x));
                x[i] = bad;
                assert!(!is_plainly_finite(&x));
            }
        }
        // Opposite infinities do not cancel.
        let x = SVector::<f64, 2>::new(f64::INFINITY, f64::NEG_INFINITY);
        assert!(!is_plainly_finite(&x));
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
