//! A x = b for a symmetric positive semidefinite A: constraints some of which follow from others.
//!
//! Input: A = J M⁻¹ Jᵀ and b. Output: λ. Among all λ that fit best, it is the one with the least Σ Aᵢᵢ λᵢ², so that
//! equivalent rows share their force equally, however each of them is written: multiplying a row by a number changes
//! nothing. For this, A is scaled to a diagonal of ones, and its pseudo-inverse is computed from its eigenvectors by
//! Jacobi rotations [Golub & Van Loan 2013, section 8.5.3]: the same instructions for every SIMD lane.

use nalgebra::{SMatrix, SVector, SimdBool};

use crate::error::Singular;
use crate::real::{Real, first_bad, is_finite, value};

/// Sweeps over all pairs; ten are enough for any matrix of a size that fits on the stack.
const MOST_SWEEPS: usize = 40;

/// The λ of least Σ Aᵢᵢ λᵢ² among those that minimise the residual of A λ = b, for each column b.
///
/// Eigenvalues of the scaled A below √ε of the greatest (1.5·10⁻⁸ for `f64`) count as zero: redundant rows are
/// redundant only where C = 0, and at a distance δ from there an eigenvalue is of the size δ².
///
/// - Cost: about M³ operations in each of six or so sweeps; no allocation.
///
/// # Errors
/// [`Singular`] for a row of A that is not finite.
pub fn least_squares<T: Real, const M: usize, const K: usize>(
    mut a: SMatrix<T, M, M>,
    mut b: SMatrix<T, M, K>,
) -> Result<SMatrix<T, M, K>, Singular> {
    check_finite(&a)?;
    let scale = unit_scale(&a);
    for j in 0..M {
        for i in 0..M {
            a[(i, j)] = a[(i, j)] * scale[i] * scale[j];
        }
    }
    // Where two eigenvalues are about equal, the derivative of the angle would be as great as one over rounding.
    let vectors = diagonalize(&mut a, value);
    invert(&mut a);
    // Sums in this order: other languages do the same.
    let sum = |terms: &dyn Fn(usize) -> T| (0..M).fold(T::zero(), |sum, k| sum + terms(k));
    for mut x in b.column_iter_mut() {
        let right = SVector::<T, M>::from_fn(|i, _| sum(&|k| vectors[(k, i)] * (x[k] * scale[k])));
        let along = SVector::<T, M>::from_fn(|i, _| sum(&|k| a[(i, k)] * right[k]));
        for i in 0..M {
            x[i] = sum(&|k| vectors[(i, k)] * along[k]) * scale[i];
        }
    }
    Ok(b)
}

/// The P that gives the λ of [`least_squares`] for every b: λ = P b. Derivatives of λ are made of it.
///
/// - Cost: that of [`least_squares`] and 3 M³ operations; no allocation.
///
/// # Errors
/// [`Singular`] for a row of A that is not finite.
pub fn pseudo_inverse<T: Real, const M: usize>(
    a: SMatrix<T, M, M>,
) -> Result<SMatrix<T, M, M>, Singular> {
    least_squares(a, SMatrix::identity())
}

/// The pseudo-inverse of a matrix that is diagonal but for entries so small that their squares do not count.
///
/// Rotations leave such entries: their values are of the size of rounding, but their derivatives in dual numbers are not; those of
/// first order are exact here. Between two eigenvalues the inverse has −aᵢⱼ/(aᵢᵢ aⱼⱼ); between one and another that counts as zero, aᵢⱼ/aᵢᵢ².
fn invert<T: Real, const M: usize>(a: &mut SMatrix<T, M, M>) {
    let zero = T::zero();
    let values = a.diagonal();
    let greatest = values
        .iter()
        .fold(zero, |most, &value| most.simd_max(value));
    let least = greatest * T::simd_default_epsilon().simd_sqrt();
    let inverse = values.map(|it| it.simd_recip().select(it.simd_gt(least), zero));
    for j in 0..M {
        for i in 0..M {
            let both = inverse[i] * inverse[j];
            let squares = inverse[i] * inverse[i] + inverse[j] * inverse[j];
            a[(i, j)] *= squares.select(both.simd_eq(zero), -both);
        }
        a[(j, j)] = inverse[j];
    }
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

/// Turns A into a diagonal matrix; returns its eigenvectors as columns. Angles are found from what `part` takes of the entries:
/// all, or the values alone, of dual numbers.
pub(crate) fn diagonalize<T: Real, const M: usize>(
    a: &mut SMatrix<T, M, M>,
    part: impl Fn(T) -> T,
) -> SMatrix<T, M, M> {
    let mut vectors = SMatrix::identity();
    let limit = T::simd_default_epsilon() * T::lit(M as f64);
    for _ in 0..MOST_SWEEPS {
        if off_diagonal(a).simd_le(limit * limit).all() {
            break;
        }
        for p in 0..M {
            for q in p + 1..M {
                let [difference, twice] = [a[(q, q)] - a[(p, p)], a[(p, q)] + a[(p, q)]];
                let turn = smaller_turn(part(difference), part(twice));
                rotate(a, &mut vectors, [p, q], turn);
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

/// Sine and cosine of the smaller of the two angles for which A_pq vanishes, of A_qq − A_pp and 2 A_pq.
fn smaller_turn<T: Real>(difference: T, twice: T) -> [T; 2] {
    let length = (difference * difference + twice * twice).simd_sqrt();
    let divisor = difference + length.select(difference.simd_ge(T::zero()), -length);
    let tangent = T::zero().select(divisor.simd_eq(T::zero()), twice / divisor);
    let cosine = (T::one() + tangent * tangent).simd_sqrt().simd_recip();
    [tangent * cosine, cosine]
}

/// The rotation in the plane of p and q.
fn rotate<T: Real, const M: usize>(
    a: &mut SMatrix<T, M, M>,
    vectors: &mut SMatrix<T, M, M>,
    [p, q]: [usize; 2],
    [sine, cosine]: [T; 2],
) {
    for k in 0..M {
        for it in [&mut *a, &mut *vectors] {
            let (x, y) = (it[(k, p)], it[(k, q)]);
            it[(k, p)] = cosine * x - sine * y;
            it[(k, q)] = sine * x + cosine * y;
        }
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

    /// P A P = P and A P A = A; and P b is what least squares find, of any b.
    #[test]
    fn the_pseudo_inverse_finds_the_same() {
        let j = SMatrix::<f64, 3, 2>::new(1.0, 0.0, 0.5, 2.0, 1.5, 2.0);
        let a = j * j.transpose();
        let p = pseudo_inverse(a).unwrap();
        approx::assert_relative_eq!(a * p * a, a, epsilon = 1e-12);
        approx::assert_relative_eq!(p * a * p, p, epsilon = 1e-12);
        let b = Vector3::new(1.0, -2.0, 0.5);
        approx::assert_relative_eq!(p * b, least_squares(a, b).unwrap(), epsilon = 1e-12);
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
