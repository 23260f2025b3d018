//! Elimination with all pivots: rows of contacts may follow from each other.

use crate::real::{Real, lane_value};
use crate::vector::Vector;

/// A pivot that counts as zero; rows are scaled to a diagonal of 1.
pub(super) const LEAST_PIVOT: f64 = 1e-12;

/// Its root: by so much directions of rows differ that count as one.
pub(super) const LEAST_ANGLE: f64 = 1e-6;

/// Solves with a matrix of rows by elimination with pivots from all remaining rows and columns; false if there is no
/// solution. Unknowns that rows leave open, since they follow from others, are zero.
///
/// What rows that follow from others leave of their right-hand sides must be at most `left_over` of the largest of them.
pub(super) fn eliminate<T: Real, X: Vector<Scalar = T>>(
    matrix: &mut [X],
    x: &mut X,
    left_over: f64,
) -> bool {
    let k = matrix.len();
    let value = |it: T| lane_value(it.simd_abs(), 0);
    let largest = x
        .entries()
        .iter()
        .fold(0.0, |most, &it| value(it).max(most));
    let mut order = x.array(0_usize);
    let order = order.as_mut();
    order.iter_mut().enumerate().for_each(|(i, it)| *it = i);
    let mut rank = k;
    for step in 0..k {
        let (mut best, mut size) = ((step, step), -1.0);
        for (i, row) in matrix.iter().enumerate().skip(step) {
            for (j, &column) in order.iter().enumerate().take(k).skip(step) {
                if value(row[column]) > size {
                    (best, size) = ((i, j), value(row[column]));
                }
            }
        }
        if size.is_nan() || size <= LEAST_PIVOT {
            rank = step;
            break;
        }
        matrix.swap(step, best.0);
        x.entries_mut().swap(step, best.0);
        order.swap(step, best.1);
        let (done, below) = matrix.split_at_mut(step + 1);
        let (pivot, column) = (&done[step], order[step]);
        for (i, row) in below.iter_mut().enumerate() {
            let factor = row[column] / pivot[column];
            for &j in &order[step..k] {
                let term = factor * pivot[j];
                row[j] -= term;
            }
            let term = factor * x[step];
            x[step + 1 + i] -= term;
        }
    }
    let left = x.entries()[rank..].iter();
    if !left
        .fold(0.0, |most, &it| value(it).max(most))
        .le(&(left_over * largest))
    {
        return false;
    }
    let mut found = x.zeros_like();
    for step in (0..rank).rev() {
        let row = &matrix[step];
        let later = order[step + 1..rank].iter();
        let sum = later.fold(x[step], |sum, &j| sum - row[j] * found[j]);
        found[order[step]] = sum / row[order[step]];
    }
    *x = found;
    true
}
