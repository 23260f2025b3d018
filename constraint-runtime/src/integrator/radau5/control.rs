//! The length of the next step, from the error and the convergence of the last.

use nalgebra::RealField;

use super::memory::{Radau5Memory, Varied};
use super::newton::MAX_ITERATIONS;
use super::{Radau5, Tried};
use crate::real::Real;
use crate::vector::Vector;

/// Steps do not grow beyond the length at which an iteration would leave this part of an error, which grows with the
/// length.
const SLOW: f64 = 0.3;
/// If each iteration leaves this part of an error or less, ∂v̇/∂(q, v) serves another step.
pub(super) const STILL_GOOD: f64 = 1e-3;
/// The next step keeps its length, and with it the elimination, unless it could grow by more than this factor.
const NOT_WORTH: f64 = 1.2;
/// Safety factor on every step size chosen.
const SAFETY: f64 = 0.9;
/// Limits of one step size over the one before.
const SHRINK: f64 = 0.2;
const GROWTH: f64 = 8.0;
/// The least error that counts in the prediction of the next.
pub(super) const MIN_ERROR: f64 = 1e-2;

impl<T: Real + RealField> Radau5<T> {
    /// Stores the step and chooses the length of the next.
    pub(super) fn accept<Q: Vector<Scalar = T>, V: Vector<Scalar = T>>(
        &self,
        memory: &mut Radau5Memory<T, Q, V>,
        h: T,
        most: T,
        tried: &Tried<T>,
        again: bool,
    ) {
        let error = tried.error.simd_max(T::lit(1e-10));
        let root = T::lit(0.25);
        let mut factor = caution::<T>(tried.iterations) / error.simd_powf(root);
        if memory.last_h > T::zero() {
            // Gustafsson's prediction: the error continues to grow as from the last step to this one.
            let growth = (memory.last_error / (error * error)).simd_powf(root);
            let predicted = T::lit(SAFETY) * (h / memory.last_h) * growth;
            factor = factor.simd_min(predicted);
        }
        let rate = memory.rate;
        let limit = T::lit(if again { 1.0 } else { GROWTH });
        // A rate that no second iteration has measured for long, such as that of a first step from rest, which is
        // rounding, must not limit the length forever.
        let limit = if tried.iterations == 1 && rate >= T::lit(SLOW) {
            limit
        } else {
            limit.simd_min((T::lit(SLOW) / rate).simd_max(T::one()))
        };
        let factor = factor.simd_max(T::lit(SHRINK)).simd_min(limit);
        memory.effort.steps += 1;
        memory.last = memory.stages.accelerations(h);
        (memory.last_h, memory.last_error) = (h, error.simd_max(T::lit(MIN_ERROR)));
        memory.reached = true;
        memory.varied = if rate <= T::lit(STILL_GOOD) {
            Varied::Before
        } else {
            Varied::Nowhere
        };
        // A step cut short to land says little about the length the next could have.
        let before = memory.next;
        let mut next = h * factor;
        if h == most && h < before {
            next = next.simd_max(before);
        } else if memory.varied == Varied::Before && (T::one()..T::lit(NOT_WORTH)).contains(&factor)
        {
            next = h;
        }
        memory.next = next.simd_min(self.settings.longest);
    }
}

/// The safety factor, which falls with the number of iterations of a step.
fn caution<T: Real>(iterations: usize) -> T {
    let most = 2 * MAX_ITERATIONS;
    T::lit(SAFETY * (1 + most) as f64 / (iterations + most) as f64).simd_min(T::lit(SAFETY))
}

/// The factor for the length of a step whose error is too large.
pub(super) fn shrinkage<T: Real>(tried: &Tried<T>) -> T {
    let factor = caution::<T>(tried.iterations) / tried.error.simd_powf(T::lit(0.25));
    factor.simd_max(T::lit(SHRINK)).simd_min(T::one())
}
