//! All that generated code may call; not part of the public contract.

pub use crate::body::{InverseMass2, InverseMass3, Rigid2, Rigid3};
pub use crate::body_constraint::{BodyConstraint, BodyRows};
pub use crate::constraint::Constraint;
pub use crate::curve::{Curve, CurveDerivation, CurveOperations, Cusp, check_tangent};
pub use crate::derivation::{
    BodyDerivation, BodyOperations, Derivation, OperationCount, Operations,
};
pub use crate::error::{Error, Singular};
pub use crate::real::Real;
pub use constraint_macros::{curve_mathml, derivation_mathml};
pub use nalgebra::{SMatrix, SVector, Vector2, Vector3};

#[cfg(rust_analyzer)]
pub use crate::ide;

use crate::real::first_bad;

/// A pivot below this many rounding units of its diagonal is noise left by cancellation.
const PIVOT_EPSILONS: f64 = 64.0;

/// Accepts a pivot of the symmetric elimination of J W Jᵀ that is positive beyond rounding.
///
/// `diagonal` is the matrix's entry before elimination. A matrix of one row passes its pivot
/// twice: then every positive finite pivot is good, however small. Zero, negative, infinite and
/// NaN pivots fail, and so does a single such SIMD lane.
#[inline(always)]
pub fn check_pivot<T: Real>(row: usize, pivot: T, diagonal: T) -> Result<(), Singular> {
    // One comparison decides: it is false for NaN, for 0 > 0, for ∞ > ∞ and for −p > −ε p.
    let limit = T::lit(PIVOT_EPSILONS) * T::simd_default_epsilon() * diagonal;
    match first_bad(pivot, pivot.simd_gt(limit)) {
        None => Ok(()),
        Some(pivot) => Err(Singular { row, pivot }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pivot_must_be_positive_beyond_rounding() {
        assert_eq!(check_pivot(0, 1e-13, 1.0), Ok(()));
        assert_eq!(
            check_pivot(3, 1e-15, 1.0),
            Err(Singular {
                row: 3,
                pivot: 1e-15
            })
        );
        assert!(check_pivot(0, 1e-6_f32, 1.0).is_err());
    }

    #[test]
    fn alone_every_positive_finite_pivot_is_good() {
        for good in [5e-324, 1e-300, 1.0, 1e300] {
            assert_eq!(check_pivot(0, good, good), Ok(()), "{good}");
        }
        for bad in [
            0.0,
            -0.0,
            -1.0,
            -1e-300,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
        ] {
            assert!(check_pivot(0, bad, bad).is_err(), "{bad}");
        }
    }
}
