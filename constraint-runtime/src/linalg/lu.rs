//! Gaussian elimination with partial pivoting, for real and complex matrices with as many rows as a vector has
//! entries.
//!
//! For vectors of fixed size the matrix is an array of arrays: nothing allocates.

use nalgebra::ComplexField;

use crate::error::Error;
use crate::kept::{check_count, check_pivoted};
use crate::vector::Vector;

/// P A = L U, in place of A.
#[derive(Clone, Debug)]
pub(crate) struct Lu<F: ComplexField + Copy, V: Vector> {
    pub(crate) rows: V::Array<V::Array<F>>,
    /// The row that each step of the elimination has exchanged with its own.
    pub(crate) exchanged: V::Array<usize>,
}

impl<F: ComplexField + Copy, V: Vector> Lu<F, V> {
    /// Memory for a matrix with as many rows and columns as `like` has entries.
    pub fn room(like: &V) -> Self {
        Self {
            rows: like.array(like.array(nalgebra::zero())),
            exchanged: like.array(0),
        }
    }

    /// Checks that a memory holds a matrix of so many rows and columns.
    pub fn check(&self, expected: usize) -> Result<(), Error> {
        let (rows, exchanged) = (self.rows.as_ref(), self.exchanged.as_ref());
        check_count(rows.len(), expected)?;
        check_count(exchanged.len(), expected)?;
        let mut rows = rows.iter().map(AsRef::as_ref);
        rows.try_for_each(|row| check_pivoted(row, expected))
    }

    /// Factors the matrix of these entries.
    ///
    /// # Errors
    /// The column without a pivot.
    pub fn factor(&mut self, entry: impl Fn(usize, usize) -> F) -> Result<(), usize> {
        let (rows, exchanged) = (self.rows.as_mut(), self.exchanged.as_mut());
        let n = rows.len();
        for (i, row) in rows.iter_mut().enumerate() {
            for (k, x) in row.as_mut().iter_mut().enumerate() {
                *x = entry(i, k);
            }
        }
        for k in 0..n {
            let mut largest = k;
            for i in k + 1..n {
                // Within √2 of the modulus.
                if rows[i].as_ref()[k].norm1() > rows[largest].as_ref()[k].norm1() {
                    largest = i;
                }
            }
            rows.swap(k, largest);
            exchanged[k] = largest;
            let (above, below) = rows.split_at_mut(k + 1);
            let pivots = above[k].as_ref();
            if pivots[k] == nalgebra::zero() || !pivots[k].is_finite() {
                return Err(k);
            }
            for row in below {
                let row = row.as_mut();
                let factor = row[k] / pivots[k];
                row[k] = factor;
                for (x, &pivot) in row[k + 1..].iter_mut().zip(&pivots[k + 1..]) {
                    *x -= factor * pivot;
                }
            }
        }
        Ok(())
    }

    /// Replaces b by A⁻¹ b.
    pub fn solve(&self, b: &mut [F]) {
        let rows = self.rows.as_ref();
        for (k, &largest) in self.exchanged.as_ref().iter().enumerate() {
            b.swap(k, largest);
        }
        for i in 0..rows.len() {
            let row = rows[i].as_ref();
            b[i] = (0..i).fold(b[i], |left, k| left - row[k] * b[k]);
        }
        for i in (0..rows.len()).rev() {
            let row = rows[i].as_ref();
            let left = (i + 1..rows.len()).fold(b[i], |left, k| left - row[k] * b[k]);
            b[i] = left / row[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{Complex, SMatrix, SVector};

    use super::*;

    /// A matrix whose first pivot is zero, and nalgebra's inverse.
    #[test]
    fn real_and_complex_systems_are_solved() {
        let a = SMatrix::<f64, 3, 3>::new(0.0, 2.0, -1.0, 1.0, 1.0, 3.0, -4.0, 0.5, 2.0);
        let expected = SVector::<f64, 3>::new(1.0, -2.0, 0.5);
        let mut found: [f64; 3] = (a * expected).into();
        let mut lu = Lu::<f64, SVector<f64, 3>>::room(&expected);
        lu.factor(|i, k| a[(i, k)]).unwrap();
        lu.solve(&mut found);
        assert!((SVector::from(found) - expected).norm() < 1e-14);

        let shift = Complex::new(0.5, -2.0);
        let entry = |i, k| {
            let own = if i == k {
                shift
            } else {
                Complex::new(0.0, 0.0)
            };
            own + a[(i, k)]
        };
        let expected = [(1.0, 2.0), (-0.5, 0.0), (0.0, 3.0)].map(|(re, im)| Complex::new(re, im));
        let product = |i: usize| (0..3).map(|k| entry(i, k) * expected[k]).sum();
        let mut found: [Complex<f64>; 3] = core::array::from_fn(product);
        let mut lu = Lu::<Complex<f64>, SVector<f64, 3>>::room(&SVector::zeros());
        lu.factor(entry).unwrap();
        lu.solve(&mut found);
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).norm() < 1e-14, "{found} {expected}");
        }
    }

    #[test]
    fn the_column_without_a_pivot_is_told() {
        let mut lu = Lu::<f64, SVector<f64, 2>>::room(&SVector::zeros());
        assert_eq!(lu.factor(|_, k| [1.0, 2.0][k]), Err(1));
        assert_eq!(lu.factor(|_, _| f64::NAN), Err(0));
    }
}
