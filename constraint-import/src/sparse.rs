//! Which of many rows with few entries follow from others.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A row by its columns.
type Row = BTreeMap<usize, f64>;

/// Independent rows.
///
/// Invariants: the pivot of an own row is in no row before it, so that rows of trees stay as they are. Another row has no pivot
/// of any row before it. So own rows are eliminated from the last to the first, then the others from the first to the last.
#[derive(Clone, Debug, Default)]
pub struct SparseRows {
    own: Vec<(usize, Row)>,
    others: Vec<(usize, Row)>,
    /// For each pivot whether its row is an own one, and its place there.
    pivots: HashMap<usize, (bool, usize)>,
    /// The columns of all rows.
    used: HashSet<usize>,
}

/// A row as it is added.
#[derive(Clone, Debug)]
pub struct Reduced {
    pivot: usize,
    row: Row,
    is_own: bool,
}

/// Fraction of the largest entry of a row from which another one is a good pivot.
const SMALL: f64 = 0.1;

impl SparseRows {
    /// True if a column is the pivot of a row.
    pub fn has_pivot(&self, column: usize) -> bool {
        self.pivots.contains_key(&column)
    }

    /// Adds a row unless it follows from the others up to `noise`; true if it is added.
    pub fn insert(&mut self, row: impl IntoIterator<Item = (usize, f64)>, noise: f64) -> bool {
        let reduced = self.reduced(row, noise);
        let is_independent = reduced.is_some();
        reduced.into_iter().for_each(|it| self.push(it));
        is_independent
    }

    /// A row to add; `None` if it follows from the others up to `noise`.
    pub fn reduced(
        &self,
        row: impl IntoIterator<Item = (usize, f64)>,
        noise: f64,
    ) -> Option<Reduced> {
        let mut sum = Row::new();
        for (column, x) in row {
            *sum.entry(column).or_default() += x;
        }
        sum.retain(|_, x| x.abs() > noise);
        let most = sum.values().fold(0.0_f64, |most, x| most.max(x.abs()));
        let fresh = sum.iter().filter(|it| !self.used.contains(it.0));
        let own = largest(fresh).filter(|it| it.1.abs() >= SMALL * most);
        let is_own = own.is_some();
        if !is_own {
            self.reduce(&mut sum);
            sum.retain(|_, x| x.abs() > noise);
        }
        let (pivot, _) = own.or_else(|| largest(sum.iter()))?;
        Some(Reduced {
            pivot,
            row: sum,
            is_own,
        })
    }

    /// Adds a row that is independent of all others.
    pub fn push(&mut self, Reduced { pivot, row, is_own }: Reduced) {
        self.used.extend(row.keys());
        let rows = if is_own {
            &mut self.own
        } else {
            &mut self.others
        };
        self.pivots.insert(pivot, (is_own, rows.len()));
        rows.push((pivot, row));
    }

    /// Eliminates the pivots of all rows.
    fn reduce(&self, sum: &mut Row) {
        let mut waiting: BTreeSet<usize> = BTreeSet::new();
        let place = |column: &usize, is_own: bool| {
            let found = self.pivots.get(column).filter(|it| it.0 == is_own);
            found.map(|it| it.1)
        };
        waiting.extend(sum.keys().filter_map(|it| place(it, true)));
        while let Some(last) = waiting.pop_last() {
            let (pivot, row) = &self.own[last];
            subtract(sum, *pivot, row);
            let before = row.keys().filter_map(|it| place(it, true));
            waiting.extend(before.filter(|it| *it < last));
        }
        waiting.extend(sum.keys().filter_map(|it| place(it, false)));
        while let Some(first) = waiting.pop_first() {
            let (pivot, row) = &self.others[first];
            subtract(sum, *pivot, row);
            let after = row.keys().filter_map(|it| place(it, false));
            waiting.extend(after.filter(|it| *it > first));
        }
    }
}

/// Subtracts the multiple of a row that leaves nothing of its pivot.
fn subtract(sum: &mut Row, pivot: usize, row: &Row) {
    let Some(x) = sum.remove(&pivot) else {
        return;
    };
    let factor = x / row[&pivot];
    for (column, entry) in row.iter().filter(|it| *it.0 != pivot) {
        *sum.entry(*column).or_default() -= factor * entry;
    }
}

fn largest<'a>(entries: impl Iterator<Item = (&'a usize, &'a f64)>) -> Option<(usize, f64)> {
    let largest = entries.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
    largest.map(|(column, x)| (*column, *x))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// a + b, b + c, c + d, their alternating sum, and the same with another last column.
    #[test]
    fn sums_of_rows_follow() {
        let mut rows = SparseRows::default();
        for k in 0..3 {
            assert!(rows.insert([(k, 1.0), (k + 1, 1.0)], 1e-12));
        }
        assert!(!rows.insert([(0, 1.0), (3, 1.0)], 1e-12));
        assert!(rows.insert([(0, 1.0), (3, 1.0 + 1e-6)], 1e-12));
        assert!(!rows.insert([(0, 1.0), (1, -2.0), (2, 0.5), (3, 7.0)], 1e-9));
        assert!(rows.insert([(0, 1.0), (4, 1e-3)], 1e-12));
        assert!(!rows.insert([(1, 3.0), (4, -2.0)], 1e-9));
    }

    /// Random rows of rank 7 among 12 columns.
    #[test]
    fn ranks_are_found() {
        let noise = |k: usize| (12.9898 * k as f64 * (k as f64 + 0.618)).sin();
        let basis: Vec<Vec<f64>> = (0..7)
            .map(|i| (0..12).map(|j| noise(31 * i + j)).collect())
            .collect();
        let mut rows = SparseRows::default();
        let count = (0..30).filter(|i| {
            let column = |j| (0..7).map(|k| noise(17 * i + k) * basis[k][j]).sum();
            let row = (0..12).map(|j| (j, column(j)));
            rows.insert(row, 1e-9)
        });
        assert_eq!(count.count(), 7);
    }
}
