//! Dense A = L D Lᵀ without pivoting, for small symmetric positive definite matrices.
//!
//! Positive definite matrices need no pivoting [Golub & Van Loan 2013, section 4.2]; without it the
//! same instructions serve every SIMD lane.

#[cfg(feature = "world")]
use nalgebra::SimdBool;
use nalgebra::{SMatrix, SVector};

use crate::checks::check_pivot;
use crate::error::Singular;
use crate::real::Real;
#[cfg(feature = "world")]
use crate::real::{first_bad, is_finite};

/// x with A x = b; only the lower triangle of A is read.
///
/// # Errors
/// [`Singular`] for the first pivot that is not positive beyond rounding.
pub(crate) fn solve<T: Real, const M: usize>(
    a: SMatrix<T, M, M>,
    b: SVector<T, M>,
) -> Result<SVector<T, M>, Singular> {
    Ok(Ldlt::new(a)?.solve(b))
}

/// L and D⁻¹ of A = L D Lᵀ, for several right-hand sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ldlt<T, const M: usize> {
    /// L below the diagonal; the rest is not read.
    l: SMatrix<T, M, M>,
    d_inv: SVector<T, M>,
}

impl<T: Real, const M: usize> Ldlt<T, M> {
    /// The factors of the unit matrix.
    #[cfg(feature = "world")]
    pub(crate) fn identity() -> Self {
        Self {
            l: SMatrix::identity(),
            d_inv: SVector::repeat(T::one()),
        }
    }

    /// Factors A; reads only its lower triangle.
    #[inline]
    pub(crate) fn new(mut a: SMatrix<T, M, M>) -> Result<Self, Singular> {
        let d_inv = factor(&mut a)?;
        Ok(Self { l: a, d_inv })
    }

    /// x with A x = b.
    #[inline]
    pub(crate) fn solve(&self, mut b: SVector<T, M>) -> SVector<T, M> {
        let l = &self.l;
        for i in 0..M {
            for k in 0..i {
                b[i] = b[i] - l[(i, k)] * b[k];
            }
        }
        b.component_mul_assign(&self.d_inv);
        for i in (0..M).rev() {
            for k in i + 1..M {
                b[i] = b[i] - l[(k, i)] * b[k];
            }
        }
        b
    }
}

/// Overwrites the strict lower triangle of A with that of L; returns D⁻¹.
fn factor<T: Real, const M: usize>(a: &mut SMatrix<T, M, M>) -> Result<SVector<T, M>, Singular> {
    let diagonal = a.diagonal();
    let mut d_inv = SVector::zeros();
    for j in 0..M {
        check_pivot(j, a[(j, j)], diagonal[j])?;
        d_inv[j] = T::one() / a[(j, j)];
        for i in j + 1..M {
            let l = a[(i, j)] * d_inv[j];
            for k in j + 1..=i {
                a[(i, k)] = a[(i, k)] - l * a[(k, j)];
            }
        }
        for i in j + 1..M {
            a[(i, j)] *= d_inv[j];
        }
    }
    Ok(d_inv)
}

// ---- sizes known at run time -------------------------------------------------------------------

/// Overwrites the strict lower triangle of A with that of L, and `d_inv` with D⁻¹.
pub(crate) fn factor_dense<T: Real>(
    a: &mut [T],
    d_inv: &mut [T],
    scale: &[T],
    row: usize,
) -> Result<(), Singular> {
    eliminate(a, d_inv, |j, pivot| {
        check_pivot(row + j, pivot, scale[j])?;
        Ok(T::one() / pivot)
    })
}

/// The same for a semidefinite A: a row whose pivot is no more than the part `least` of its diagonal is set aside, D⁻¹ and
/// its column of L are zero. True if there are such rows.
///
/// # Errors
/// [`Singular`] for a pivot that is not finite, and for a row without a diagonal.
#[cfg(feature = "world")]
pub(crate) fn factor_semidefinite<T: Real>(
    a: &mut [T],
    d_inv: &mut [T],
    scale: &[T],
    least: &[T],
    row: usize,
) -> Result<bool, Singular> {
    let mut any = false;
    eliminate(a, d_inv, |j, pivot| {
        let good = pivot.simd_gt(least[j] * scale[j]);
        if good.all() {
            return Ok(T::one() / pivot);
        }
        any = true;
        set_aside(row + j, pivot, scale[j], good)
    })?;
    Ok(any)
}

/// D⁻¹ of a row that has no pivot in some lane.
#[cfg(feature = "world")]
#[cold]
fn set_aside<T: Real>(row: usize, pivot: T, scale: T, good: T::SimdBool) -> Result<T, Singular> {
    let is_semidefinite = is_finite(pivot) & scale.simd_gt(T::zero());
    match first_bad(pivot, is_semidefinite) {
        Some(pivot) => Err(Singular { row, pivot }),
        None => Ok((T::one() / pivot).select(good, T::zero())),
    }
}

#[inline(always)]
fn eliminate<T: Real>(
    a: &mut [T],
    d_inv: &mut [T],
    mut inverse: impl FnMut(usize, T) -> Result<T, Singular>,
) -> Result<(), Singular> {
    let n = d_inv.len();
    for j in 0..n {
        d_inv[j] = inverse(j, a[j * n + j])?;
        for i in j + 1..n {
            let l = a[i * n + j] * d_inv[j];
            for k in j + 1..=i {
                a[i * n + k] -= l * a[k * n + j];
            }
        }
        for i in j + 1..n {
            a[i * n + j] *= d_inv[j];
        }
    }
    Ok(())
}

/// Replaces b by x with L x = b.
pub(crate) fn substitute<T: Real>(l: &[T], b: &mut [T]) {
    let n = b.len();
    for i in 1..n {
        let product = dot(&l[i * n..i * n + i], &b[..i]);
        b[i] -= product;
    }
}

/// Replaces b by x with Lᵀ x = b.
pub(crate) fn substitute_transposed<T: Real>(l: &[T], b: &mut [T]) {
    let n = b.len();
    for i in (1..n).rev() {
        let x = b[i];
        for (b, &l) in b[..i].iter_mut().zip(&l[i * n..i * n + i]) {
            *b -= l * x;
        }
    }
}

pub(crate) fn scale<T: Real>(x: &mut [T], by: &[T]) {
    for (x, &by) in x.iter_mut().zip(by) {
        *x *= by;
    }
}

pub(crate) fn dot<T: Real>(a: &[T], b: &[T]) -> T {
    a.iter().zip(b).fold(T::zero(), |sum, (&a, &b)| sum + a * b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Matrix3, Vector3};

    #[test]
    fn a_textbook_matrix_is_solved() {
        let a = Matrix3::new(4.0, 12.0, -16.0, 12.0, 37.0, -43.0, -16.0, -43.0, 98.0);
        let x = Vector3::new(1.0, -2.0, 3.0);
        approx::assert_relative_eq!(solve(a, a * x).unwrap(), x, epsilon = 1e-10);
    }

    #[test]
    fn a_repeated_row_is_named() {
        let j =
            SMatrix::<f64, 3, 4>::new(1.0, 0.3, 0.0, 0.7, 0.1, 1.0, 0.2, 0.0, 1.1, 1.3, 0.2, 0.7);
        let singular = solve(j * j.transpose(), Vector3::zeros()).unwrap_err();
        assert_eq!(singular.row, 2);
        assert!(singular.pivot.abs() < 1e-14);
    }

    #[test]
    fn rounding_does_not_hide_a_dependent_row() {
        for scale in 1..100 {
            let row = Vector3::new(0.1, 0.2, 0.7);
            let j = SMatrix::<f64, 3, 2>::from_columns(&[row, row * f64::from(scale)]).transpose();
            let singular = solve(j * j.transpose(), SVector::zeros());
            assert_eq!(singular.unwrap_err().row, 1, "{scale}");
        }
    }

    #[test]
    fn a_vanishing_or_undefined_row_is_singular() {
        let zero = SMatrix::<f64, 1, 1>::zeros();
        assert!(solve(zero, SVector::zeros()).is_err());
        assert!(solve(zero.add_scalar(f64::NAN), SVector::zeros()).is_err());
    }
}
