//! Linear equations over the field.

use super::field::Residue;
use super::point::Stop;
use crate::expr::CollectVec;

/// A matrix, row by row.
pub type Rows = Vec<Vec<Residue>>;

/// Σ aᵢ bᵢ, skipping zeros, since many aᵢ are 0.
pub fn dot(a: &[Residue], b: &[Residue]) -> Residue {
    let (mut sum, mut i, len) = (Residue::ZERO, 0, a.len().min(b.len()));
    while i < len {
        if !a[i].is_zero() {
            sum = sum + a[i] * b[i];
        }
        i += 1;
    }
    sum
}

/// Aᵀ x
pub fn transposed_times(rows: &[Vec<Residue>], x: &[Residue]) -> Vec<Residue> {
    let columns = rows.first().map_or(0, Vec::len);
    let column = |j: usize| rows.iter().map(|row| row[j]).collect_vec();
    (0..columns).map(|j| dot(&column(j), x)).collect_vec()
}

/// x of A x = b, by Gaussian elimination.
pub fn solve(mut rows: Rows, mut b: Vec<Residue>) -> Result<Vec<Residue>, Stop> {
    let n = rows.len();
    let mut inverses = Vec::with_capacity(n);
    for k in 0..n {
        let pivot = (k..n).find(|&i| !rows[i][k].is_zero()).ok_or(Stop::Zero)?;
        rows.swap(k, pivot);
        b.swap(k, pivot);
        let inverse = rows[k][k].recip().ok_or(Stop::Zero)?;
        inverses.push(inverse);
        for i in k + 1..n {
            let factor = -(rows[i][k] * inverse);
            if factor.is_zero() {
                continue;
            }
            let (above, below) = rows.split_at_mut(i);
            for (entry, &by) in below[0][k..].iter_mut().zip(&above[k][k..]) {
                *entry = *entry + factor * by;
            }
            b[i] = b[i] + factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let known = dot(&rows[k][k + 1..], &b[k + 1..]);
        b[k] = (b[k] - known) * inverses[k];
    }
    Ok(b)
}
