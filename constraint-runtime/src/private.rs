//! All that generated code may call; not part of the public contract.

pub use crate::body::check_inertia_pivot as check_moment;
pub use crate::body::{
    Flat, InverseMass2, InverseMass3, Rigid2, Rigid3, Twist2, Twist3, restore_length,
};
pub use crate::body_constraint::{BodyConstraint, BodyRows};
pub use crate::constraint::Constraint;
pub use crate::curve::{Curve, CurveDerivation, CurveOperations, Cusp, check_tangent};
pub use crate::derivation::{
    BodyDerivation, BodyOperations, Derivation, OperationCount, Operations, SystemDerivation,
    SystemOperations,
};
pub use crate::error::{Error, Singular};
pub use crate::impulse_rows::ImpulseRows;
pub use crate::input::InputSystem;
pub use crate::least_squares::least_squares;
pub use crate::real::Real;
pub use crate::row_names::{RowFamily, as_strings, row_names};
pub use crate::system::System;
pub use constraint_macros::{curve_mathml, derivation_mathml};
pub use nalgebra::{Point2, Point3, SMatrix, SVector, Vector2, Vector3};

#[cfg(rust_analyzer)]
pub use crate::ide;

use crate::real::{first_bad, is_finite};

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

/// Accepts a mass that is positive and finite, in every lane.
pub fn check_mass<T: Real>(mass: T) -> Result<(), Error> {
    match first_bad(mass, mass.simd_gt(T::zero()) & is_finite(mass)) {
        None => Ok(()),
        Some(mass) => Err(Error::InvalidMass { mass }),
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
