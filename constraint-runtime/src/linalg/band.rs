//! Gaussian elimination of real and complex band matrices with partial pivoting.
//!
//! A matrix with `b` entries on either side of its diagonal takes n (3 b + 1) places, since an exchange of rows moves
//! entries up to `b` further to the right, and n b² multiplications without exchanges, 2 n b² with all. Rows are
//! scaled to the same size first, so that pivots do not depend on the units of rows.
//!
//! # Source
//! G. H. Golub, C. F. Van Loan, *Matrix Computations*, 4th ed. 2013, section 4.3.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::{ComplexField, RealField};

use crate::error::Error;
use crate::kept::{check_count, check_pivoted};

/// P S A = L U with row scales S, in place of A.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde-no-std", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct BandLu<F> {
    /// Entries on either side of the diagonal.
    half: usize,
    /// Row by row, each from `half` columns before the diagonal to 2 `half` behind it.
    entries: Vec<F>,
    /// The scale of each row of A.
    scales: Vec<F>,
    /// The row that each step of the elimination has exchanged with its own.
    exchanged: Vec<usize>,
    /// The last column of each row that is not zero.
    last: Vec<usize>,
}

/// The index of the entry of a row and a column, in a band of `half` entries on either side.
pub(crate) fn place(half: usize, row: usize, column: usize) -> usize {
    row * (3 * half + 1) + column + half - row
}

impl<F: ComplexField + Copy> BandLu<F> {
    /// Memory for a matrix of `n` rows.
    pub fn room(n: usize, half: usize) -> Self {
        Self {
            half,
            entries: vec![F::zero(); n * (3 * half + 1)],
            scales: vec![F::one(); n],
            exchanged: vec![0; n],
            last: vec![0; n],
        }
    }

    /// Checks that a memory holds a matrix of so many rows.
    pub fn check(&self, n: usize, half: usize) -> Result<(), Error> {
        check_count(self.half, half)?;
        check_pivoted(&self.entries, n * (3 * half + 1))?;
        check_pivoted(&self.scales, n)?;
        check_count(self.exchanged.len(), n)?;
        check_count(self.last.len(), n)?;
        let ends = self.exchanged.iter().zip(&self.last).enumerate();
        for (k, (&exchanged, &last)) in ends {
            check_count(exchanged.clamp(k, n.min(k + half + 1) - 1), exchanged)?;
            check_count(last.clamp(k, n.min(k + 2 * half + 1) - 1), last)?;
        }
        Ok(())
    }

    /// All entries, set to zero, each at its [`place`].
    pub fn cleared(&mut self) -> &mut [F] {
        self.entries.fill(F::zero());
        &mut self.entries
    }

    /// Factors the matrix of these entries.
    ///
    /// # Errors
    /// The column without a pivot.
    pub fn factor(&mut self) -> Result<(), usize> {
        let (n, half) = (self.scales.len(), self.half);
        let width = 3 * half + 1;
        self.scale();
        for k in 0..n {
            let below = k + 1..n.min(k + half + 1);
            let mut largest = k;
            for i in below.clone() {
                // Within √2 of the modulus.
                let [entry, most] = [i, largest].map(|i| self.entries[place(half, i, k)].norm1());
                if entry > most {
                    largest = i;
                }
            }
            self.exchange(k, largest);
            let columns = self.last[k] - k;
            let (above, rest) = self.entries.split_at_mut((k + 1) * width);
            let pivots = &above[place(half, k, k)..][..=columns];
            if pivots[0].is_zero() || !pivots[0].is_finite() {
                return Err(k);
            }
            for i in below {
                let row = &mut rest[place(half, i, k) - (k + 1) * width..][..=columns];
                if row[0].is_zero() {
                    continue;
                }
                row[0] /= pivots[0];
                let factor = row[0];
                for (x, &pivot) in row[1..].iter_mut().zip(&pivots[1..]) {
                    *x -= factor * pivot;
                }
                self.last[i] = self.last[i].max(self.last[k]);
            }
        }
        Ok(())
    }

    /// Scales the largest entry of each row to one, and records how far the rows extend.
    fn scale(&mut self) {
        let width = 3 * self.half + 1;
        for (i, row) in self.entries.chunks_exact_mut(width).enumerate() {
            let sizes = row.iter().map(|x| x.norm1());
            let most = sizes.fold(nalgebra::zero(), |most: F::RealField, x| most.max(x));
            let some = most > nalgebra::zero();
            let scale = if some {
                F::from_real(most).recip()
            } else {
                F::one()
            };
            row.iter_mut().for_each(|x| *x *= scale);
            self.scales[i] = scale;
            let last = row.iter().rposition(|x| !x.is_zero());
            self.last[i] = last.map_or(i, |last| (i + last).saturating_sub(self.half).max(i));
        }
    }

    /// Exchanges a row with a later one, from the column of its pivot on: the entries before it are factors, which
    /// stay.
    fn exchange(&mut self, k: usize, other: usize) {
        self.exchanged[k] = other;
        if other == k {
            return;
        }
        self.last.swap(k, other);
        for column in k..=self.last[k].max(self.last[other]) {
            let [a, b] = [k, other].map(|row| place(self.half, row, column));
            self.entries.swap(a, b);
        }
        // Its diagonal counts, zero or not.
        self.last[other] = self.last[other].max(other);
    }

    /// Replaces b by A⁻¹ b.
    pub fn solve(&self, b: &mut [F]) {
        let (n, half) = (b.len(), self.half);
        for (x, &scale) in b.iter_mut().zip(&self.scales) {
            *x *= scale;
        }
        for k in 0..n {
            b.swap(k, self.exchanged[k]);
            let (above, below) = b.split_at_mut(k + 1);
            for (i, x) in (k + 1..).zip(below.iter_mut().take(half)) {
                *x -= self.entries[place(half, i, k)] * above[k];
            }
        }
        for k in (0..n).rev() {
            let row = &self.entries[place(half, k, k)..][..=self.last[k] - k];
            let known = row[1..].iter().zip(&b[k + 1..]);
            let left = known.fold(b[k], |left, (&entry, &x)| left - entry * x);
            b[k] = left / row[0];
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{Complex, DMatrix, DVector};

    use super::*;

    /// A saddle with zeros on the diagonal and rows of very different sizes; nalgebra's dense elimination.
    #[test]
    fn zeros_on_the_diagonal_are_pivoted_around() {
        let (n, half) = (60, 3);
        let entry = |i: usize, j: usize| {
            let size = [1e6, 1.0, 1e-5][i % 3];
            let x = ((7 * i + 3 * j) as f64).sin();
            if i.abs_diff(j) > half || (i == j && i % 3 == 2) {
                0.0
            } else {
                size * x
            }
        };
        let mut lu = BandLu::<f64>::room(n, half);
        let entries = lu.cleared();
        for i in 0..n {
            for j in i.saturating_sub(half)..n.min(i + half + 1) {
                entries[place(half, i, j)] = entry(i, j);
            }
        }
        lu.factor().expect("pivots");
        let dense = DMatrix::from_fn(n, n, entry);
        let expected = DVector::from_fn(n, |i, _| (i as f64).cos());
        let mut found = &dense * &expected;
        lu.solve(found.as_mut_slice());
        assert!((found - expected).amax() < 1e-10);
    }

    #[test]
    fn complex_matrices_are_solved() {
        // (1 + 2i) x + y = 2 + 2i, −x + i y = 0: x = i y, y ((1 + 2i) i + 1) = y (−1 + i).
        let mut lu = BandLu::<Complex<f64>>::room(2, 1);
        let entries = lu.cleared();
        let all = [
            (0, 0, 1.0, 2.0),
            (0, 1, 1.0, 0.0),
            (1, 0, -1.0, 0.0),
            (1, 1, 0.0, 1.0),
        ];
        for (i, j, re, im) in all {
            entries[place(1, i, j)] = Complex::new(re, im);
        }
        lu.factor().expect("pivots");
        let mut x = [Complex::new(2.0, 2.0), Complex::new(0.0, 0.0)];
        lu.solve(&mut x);
        let y = Complex::new(2.0, 2.0) / Complex::new(-1.0, 1.0);
        assert!((x[1] - y).norm() < 1e-15 && (x[0] - Complex::<f64>::i() * y).norm() < 1e-15);
    }

    #[test]
    fn the_column_without_a_pivot_is_told() {
        let mut lu = BandLu::<f64>::room(3, 1);
        let entries = lu.cleared();
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 2)] {
            entries[place(1, i, j)] = 1.0;
        }
        assert_eq!(lu.factor(), Err(1));
    }
}
