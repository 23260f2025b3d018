//! Sparse matrices: J of large systems.

use alloc::collections::BTreeMap;
use core::ops::{Index, IndexMut};

use crate::real::Real;

/// A matrix of `M` rows and `N` columns that stores the entries which may differ from zero.
///
/// Large generated systems return it from [`Constrained::jacobian`](crate::Constrained::jacobian): J of a chain of n links in
/// the plane has 2 n² entries, 4 n of them stored.
///
/// - Cost: finding an entry takes the logarithm of their number.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     struct Chain { m: Real = 1, l: Real = 1 }
///     particle bead[1000]: Point2 { mass: m }
///     constraint link[0]: norm(bead[0]) == l;
///     for i in 1..1000 { constraint link[i]: norm(bead[i] - bead[i - 1]) == l; }
/// }
/// let level = ChainCoordinates { bead: HeapArray::from_fn(|i| Point2::new(1.0 + i as f64, 0.0)) };
/// let j = Chain::default().jacobian(0.0, &level.into());
/// // The link before the last bead pulls along x.
/// assert_eq!(j.row(999).collect::<Vec<_>>(), [(1996, -1.0), (1997, 0.0), (1998, 1.0), (1999, 0.0)]);
/// assert_eq!((j[(999, 1998)], j[(999, 0)]), (1.0, 0.0));
/// assert_eq!(j.entries().count(), 2 + 4 * 999);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SparseMatrix<T, const M: usize, const N: usize> {
    /// By row and column.
    entries: BTreeMap<(usize, usize), T>,
    /// The value of all other entries.
    zero: T,
}

impl<T: Real, const M: usize, const N: usize> SparseMatrix<T, M, N> {
    /// The matrix without stored entries.
    pub fn zeros() -> Self {
        Self::of([])
    }

    /// The matrix of these entries: row, column and value of each.
    pub fn of(entries: impl IntoIterator<Item = (usize, usize, T)>) -> Self {
        let entries = entries.into_iter();
        Self {
            entries: entries.map(|(row, column, x)| ((row, column), x)).collect(),
            zero: T::zero(),
        }
    }

    /// The stored entries, row by row: row, column and value.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize, T)> {
        let entries = self.entries.iter();
        entries.map(|(&(row, column), &x)| (row, column, x))
    }

    /// The stored entries of a row, in the order of their columns: column and value.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, T)> {
        let entries = self.entries.range((row, 0)..(row + 1, 0));
        entries.map(|(&(_, column), &x)| (column, x))
    }
}

/// The entry at a row and a column, stored or zero.
impl<T, const M: usize, const N: usize> Index<(usize, usize)> for SparseMatrix<T, M, N> {
    type Output = T;

    fn index(&self, (row, column): (usize, usize)) -> &T {
        assert!(row < M && column < N, "({row}, {column}) of {M} × {N}");
        self.entries.get(&(row, column)).unwrap_or(&self.zero)
    }
}

/// The entry at a linear index, column by column, as generated loops use it.
impl<T, const M: usize, const N: usize> Index<usize> for SparseMatrix<T, M, N> {
    type Output = T;

    fn index(&self, place: usize) -> &T {
        &self[(place % M, place / M)]
    }
}

/// The same; the entry is stored from now on.
impl<T: Real, const M: usize, const N: usize> IndexMut<usize> for SparseMatrix<T, M, N> {
    fn index_mut(&mut self, place: usize) -> &mut T {
        let (row, column) = (place % M, place / M);
        self.entries.entry((row, column)).or_insert(self.zero)
    }
}
