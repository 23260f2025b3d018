//! A x = b for a symmetric positive semidefinite A: constraints some of which follow from others.
//!
//! Input: A = J M⁻¹ Jᵀ and b. Output: λ. Among all λ that fit best, it is the one with the least Σ Aᵢᵢ λᵢ², so that
//! equivalent rows share their force equally, however each of them is written: multiplying a row by a number changes
//! nothing. For this, A is scaled to a diagonal of ones, and its pseudo-inverse is computed from its eigenvectors by
//! Jacobi rotations [Golub & Van Loan 2013, section 8.5.3]: the same instructions for every SIMD lane.

use nalgebra::{SMatrix, SVector, SimdBool};

use crate::error::Singular;
use crate::real::{Real, first_bad, is_finite};

/// Sweeps over all pairs; ten are enough for any matrix of a size that fits on the stack.
const MOST_SWEEPS: usize = 40;

/// The λ of least Σ Aᵢᵢ λᵢ² among those that minimise the residual of A λ = b.
///
/// Eigenvalues of the scaled A below √ε of the greatest (1.5·10⁻⁸ for `f64`) count as zero: redundant rows are
/// redundant only where C = 0, and at a distance δ from there an eigenvalue is of the size δ².
///
/// - Cost: about M³ operations in each of six or so sweeps; no allocation.
///
/// # Errors
/// [`Singular`] for a row of A that is not finite.
pub fn least_squares<T: Real, const M: usize>(
    mut a: SMatrix<T, M, M>,
    b: SVector<T, M>,
) -> Result<SVector<T, M>, Singular> {
    check_finite(&a)?;
    let scale = unit_scale(&a);
    for j in 0..M {
        for i in 0..M {
            a[(i, j)] = a[(i, j)] * scale[i] * scale[j];
        }
    }
    let vectors = diagonalize(&mut a);
    let values = a.diagonal();
    let greatest = values.iter().fold(T::zero(), |most, &d| most.simd_max(d));
    let least = greatest * T::simd_default_epsilon().simd_sqrt();
    // Sums in this order: other languages do the same.
    let sum = |terms: &dyn Fn(usize) -> T| (0..M).fold(T::zero(), |sum, k| sum + terms(k));
    let right = b.component_mul(&scale);
    let along = SVector::<T, M>::from_fn(|i, _| {
        let part = sum(&|k| vectors[(k, i)] * right[k]);
        (part / values[i]).select(values[i].simd_gt(least), T::zero())
    });
    let x = |i| sum(&|k| vectors[(i, k)] * along[k]) * scale[i];
    Ok(SVector::from_fn(|i, _| x(i)))
}

fn check_finite<T: Real, const M: usize>(a: &SMatrix<T, M, M>) -> Result<(), Singular> {
    for row in 0..M {
        for column in 0..M {
            let entry = a[(row, column)];
            if let Some(pivot) = first_bad(entry, is_finite(entry)) {
                return Err(Singular { row, pivot });
            }
        }
    }
    Ok(())
}

/// 1/√Aᵢᵢ; zero for a row whose gradient vanishes, which then gets no force.
fn unit_scale<T: Real, const M: usize>(a: &SMatrix<T, M, M>) -> SVector<T, M> {
    SVector::from_fn(|i, _| {
        let size = a[(i, i)];
        size.simd_sqrt()
            .simd_recip()
            .select(size.simd_gt(T::zero()), T::zero())
    })
}

/// Turns A into a diagonal matrix; returns its eigenvectors as columns.
pub(crate) fn diagonalize<T: Real, const M: usize>(a: &mut SMatrix<T, M, M>) -> SMatrix<T, M, M> {
    let mut vectors = SMatrix::identity();
    let limit = T::simd_default_epsilon() * T::lit(M as f64);
    for _ in 0..MOST_SWEEPS {
        if off_diagonal(a).simd_le(limit * limit).all() {
            break;
        }
        for p in 0..M {
            for q in p + 1..M {
                rotate(a, &mut vectors, p, q);
            }
        }
    }
    vectors
}

/// Σ Aᵢⱼ² above the diagonal.
fn off_diagonal<T: Real, const M: usize>(a: &SMatrix<T, M, M>) -> T {
    let mut sum = T::zero();
    for j in 0..M {
        for i in 0..j {
            sum += a[(i, j)] * a[(i, j)];
        }
    }
    sum
}

/// The rotation in the plane of p and q by the smaller of the two angles for which A_pq vanishes.
fn rotate<T: Real, const M: usize>(
    a: &mut SMatrix<T, M, M>,
    vectors: &mut SMatrix<T, M, M>,
    p: usize,
    q: usize,
) {
    let difference = a[(q, q)] - a[(p, p)];
    let twice = a[(p, q)] + a[(p, q)];
    let length = (difference * difference + twice * twice).simd_sqrt();
    let divisor = difference + length.select(difference.simd_ge(T::zero()), -length);
    let tangent = T::zero().select(divisor.simd_eq(T::zero()), twice / divisor);
    let cosine = (T::one() + tangent * tangent).simd_sqrt().simd_recip();
    let sine = tangent * cosine;
    for k in 0..M {
        let (x, y) = (a[(k, p)], a[(k, q)]);
        a[(k, p)] = cosine * x - sine * y;
        a[(k, q)] = sine * x + cosine * y;
        let (x, y) = (vectors[(k, p)], vectors[(k, q)]);
        vectors[(k, p)] = cosine * x - sine * y;
        vectors[(k, q)] = sine * x + cosine * y;
    }
    for k in 0..M {
        let (x, y) = (a[(p, k)], a[(q, k)]);
        a[(p, k)] = cosine * x - sine * y;
        a[(q, k)] = sine * x + cosine * y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Matrix3, Vector2, Vector3};

    #[test]
    fn a_regular_matrix_is_solved() {
        let a = Matrix3::new(4.0, 12.0, -16.0, 12.0, 37.0, -43.0, -16.0, -43.0, 98.0);
        let x = Vector3::new(1.0, -2.0, 3.0);
        approx::assert_relative_eq!(least_squares(a, a * x).unwrap(), x, epsilon = 1e-9);
    }

    /// The third row is the sum of the others: λ = λ₀ + c (1, 1, −1), and Σ Aᵢᵢ λᵢ² is least where its
    /// derivative by c vanishes.
    #[test]
    fn of_all_solutions_the_least_is_found() {
        let j = SMatrix::<f64, 3, 2>::new(1.0, 0.0, 0.5, 2.0, 1.5, 2.0);
        let a = j * j.transpose();
        let b = a * Vector3::new(1.0, 2.0, 0.0);
        let x = least_squares(a, b).unwrap();
        approx::assert_relative_eq!(a * x, b, epsilon = 1e-12);
        let slope = a[(0, 0)] * x[0] + a[(1, 1)] * x[1] - a[(2, 2)] * x[2];
        approx::assert_relative_eq!(slope, 0.0, epsilon = 1e-12);
    }

    #[test]
    fn rows_that_say_the_same_share_the_force_however_they_are_written() {
        let j = Vector2::new(0.6, 0.8);
        for factor in [1.0, -3.0, 1e6] {
            let rows = SMatrix::<f64, 2, 2>::from_columns(&[j, j * factor]).transpose();
            let a = rows * rows.transpose();
            let x = least_squares(a, a * Vector2::new(5.0, 0.0)).unwrap();
            approx::assert_relative_eq!(x[0], 2.5, epsilon = 1e-9);
            approx::assert_relative_eq!(x[1] * factor, 2.5, epsilon = 1e-9);
        }
    }

    #[test]
    fn a_row_that_vanishes_takes_nothing_and_one_that_is_not_finite_is_named() {
        let a = SMatrix::<f64, 2, 2>::new(0.0, 0.0, 0.0, 2.0);
        let x = least_squares(a, Vector2::new(0.0, 4.0)).unwrap();
        assert_eq!(x, Vector2::new(0.0, 2.0));
        let a = SMatrix::<f64, 2, 2>::new(1.0, 0.0, 0.0, f64::NAN);
        assert_eq!(least_squares(a, Vector2::zeros()).unwrap_err().row, 1);
    }
}
