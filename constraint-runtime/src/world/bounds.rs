//! Bounds of λ in a row of a constraint: rows that push only, pull only, or give in.

use core::ops::RangeInclusive;

use nalgebra::SimdBool;

use crate::error::Error;
use crate::impulse::Softness;
use crate::real::{Real, lane_value};

/// The least and the largest λ of a row of a constraint: see [`World::set_bounds`](crate::World::set_bounds).
///
/// - Units: those of λ; N if C is a length. +λ pushes along +∇C.
///
/// ```
/// use constraint_runtime::prelude::*;
/// use constraint_runtime::Bounds;
///
/// let floor = Bounds::at_least(0.0); // C ≥ 0: it pushes, and never pulls
/// let rope = Bounds::at_most(0.0); // C ≤ 0: it pulls, and never pushes
/// let clutch = Bounds::new(-40.0..=40.0); // C = 0, as far as 40 N suffice
/// let bumper = floor.with_softness(Softness::new(2e4, 150.0)?);
/// # let _ = (rope, clutch, bumper);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds<T = f64> {
    pub(super) least: T,
    pub(super) most: T,
    pub(super) softness: Option<Softness<T>>,
}

impl<T: Real> Bounds<T> {
    /// From the least to the largest λ; infinite ends bound nothing.
    pub fn new(range: RangeInclusive<T>) -> Self {
        let (least, most) = range.into_inner();
        Self {
            least,
            most,
            softness: None,
        }
    }

    /// λ ≥ `least`
    pub fn at_least(least: T) -> Self {
        Self::new(least..=T::lit(f64::INFINITY))
    }

    /// λ ≤ `most`
    pub fn at_most(most: T) -> Self {
        Self::new(T::lit(f64::NEG_INFINITY)..=most)
    }

    /// A spring and a damper within the bounds, in place of C = 0.
    pub fn with_softness(self, softness: Softness<T>) -> Self {
        Self {
            softness: Some(softness),
            ..self
        }
    }

    pub(super) fn validate(&self) -> Result<(), Error> {
        let good = self.least.simd_lt(self.most)
            & self.least.simd_lt(T::lit(f64::INFINITY))
            & self.most.simd_gt(T::lit(f64::NEG_INFINITY));
        let is_one_sided = self.least.simd_ge(T::zero()) | self.most.simd_le(T::zero());
        match &self.softness {
            _ if !good.all() => {}
            Some(softness) if is_one_sided.any() => return softness.check_spring(),
            _ => return Ok(()),
        }
        Err(Error::InvalidBounds {
            least: lane_value(self.least, 0),
            most: lane_value(self.most, 0),
        })
    }
}

impl<T: Real> From<RangeInclusive<T>> for Bounds<T> {
    fn from(range: RangeInclusive<T>) -> Self {
        Self::new(range)
    }
}
