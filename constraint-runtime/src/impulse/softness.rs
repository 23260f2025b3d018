//! Compliant joints: a spring and a damper in place of a rigid row.

use nalgebra::SimdBool;

use crate::error::Error;
use crate::real::{Real, is_finite, lane_value};

/// A joint that pulls with λ = −k C − c Ċ instead of holding C = 0.
///
/// Both terms are evaluated at the end of the step, as in implicit Euler: no stiffness makes it unstable. With γ =
/// 1/(h (c + h k)) the impulse Λ = h λ obeys Ċ + k/(c + h k) C + γ Λ = 0, a rigid row with γ added to its diagonal of
/// J W Jᵀ.
///
/// - Units: k is λ per unit of C, c is λ per unit of Ċ.
///
/// # Source
/// E. Catto, *Soft Constraints*, GDC 2011; there γ and the feedback are derived for C a length.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// let spring = Softness::new(100.0, 2.0)?;
/// assert!(Softness::new(-1.0, 0.0).is_err());
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Softness<T = f64> {
    stiffness: T,
    damping: T,
}

impl<T: Real> Softness<T> {
    /// Stiffness k and damping c.
    ///
    /// # Errors
    /// [`Error::InvalidSoftness`] when one is negative or not finite, or both are zero.
    pub fn new(stiffness: T, damping: T) -> Result<Self, Error> {
        let sum = stiffness + damping;
        let good = stiffness.simd_ge(T::zero())
            & damping.simd_ge(T::zero())
            & sum.simd_gt(T::zero())
            & is_finite(sum);
        if good.all() {
            return Ok(Self { stiffness, damping });
        }
        Err(Error::InvalidSoftness {
            stiffness: lane_value(stiffness, 0),
            damping: lane_value(damping, 0),
        })
    }

    /// The softness with which an inertia swings at a frequency f, with the damping ratio ζ: k = I (2π f)², c = 2 ζ I 2π f.
    ///
    /// - Units: of the inertia kg for a length, kg m² for an angle, of f Hz. With ζ = 1 it returns without swinging.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// let spring = Softness::swinging(2.0 / std::f64::consts::TAU, 0.5, 3.0)?;
    /// assert_eq!(spring, Softness::new(12.0, 6.0)?);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn swinging(frequency: T, damping_ratio: T, inertia: T) -> Result<Self, Error> {
        let omega = frequency * T::lit(core::f64::consts::TAU);
        let damping = inertia * omega * damping_ratio * T::lit(2.0);
        Self::new(inertia * omega * omega, damping)
    }

    /// The spring alone.
    #[cfg(feature = "world")]
    pub(crate) fn undamped(&self) -> Self {
        let damping = T::zero();
        Self { damping, ..*self }
    }

    /// Accepts one that has a spring, in every lane.
    #[cfg(feature = "world")]
    pub(crate) fn check_spring(&self) -> Result<(), Error> {
        if self.stiffness.simd_gt(T::zero()).all() {
            return Ok(());
        }
        Err(Error::InvalidSoftness {
            stiffness: lane_value(self.stiffness, 0),
            damping: lane_value(self.damping, 0),
        })
    }

    /// −k C − c Ċ
    #[cfg(feature = "world")]
    pub(crate) fn pull(&self, c: T, c_dot: T) -> T {
        -(self.stiffness * c + self.damping * c_dot)
    }

    /// k/(c + h k), the feedback of C, and γ.
    pub(crate) fn over(&self, h: T) -> (T, T) {
        let sum = self.damping + h * self.stiffness;
        (self.stiffness / sum, T::one() / (h * sum))
    }
}
