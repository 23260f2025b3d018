//! Sparse A = L D Lᵀ of a symmetric positive semidefinite matrix of small dense blocks.
//!
//! Input: the rows of every node and the nodes that share blocks ([`BlockLdlt::new`], once per topology), then the
//! numbers ([`clear`](BlockLdlt::clear), [`diagonal_mut`](BlockLdlt::diagonal_mut),
//! [`block_mut`](BlockLdlt::block_mut)). Output: L and D in place ([`factor`](BlockLdlt::factor)) and solutions
//! ([`solve`](BlockLdlt::solve)). Parts that share no blocks can be factored and solved one by one. Nothing allocates after `new`.
//! Rows that follow from those eliminated before them have no pivot; they are set aside, and their x is zero.
//!
//! The columns of a node are stored in the order of elimination, its diagonal block and then the blocks below,
//! each row by row:
//!
//! ```text
//! values  │ A₀₀ │ A₂₀ │ A₃₀ │ A₁₁ │ A₃₁ │ …
//!           └ column of 0 ──┘ └ column of 1
//! ```
//!
//! so that a column is contiguous, and the blocks that it changes lie after it.
//!
//! # Source
//! T. A. Davis, *Direct Methods for Sparse Linear Systems*, SIAM 2006, chapter 4: right-looking, with blocks for
//! entries. Semidefinite matrices need no pivoting: where a pivot vanishes, so does its column.

use alloc::{vec, vec::Vec};
use core::ops::Range;

use nalgebra::SimdBool;

use crate::checks::check_pivot;
use crate::error::Singular;
use crate::real::Real;

use super::ldlt::{dot, factor_semidefinite, scale, substitute, substitute_transposed};
use super::minimum_degree::minimum_degree;

/// The fraction of a kept pivot below which it counts as zero.
const LEAST_KEPT: f64 = 1.0 / 16.0;

/// The matrix, before and after it is factored.
#[derive(Clone, Debug)]
pub(crate) struct BlockLdlt<T> {
    /// In order of elimination.
    columns: Vec<Column>,
    below: Vec<Block>,
    /// For each pair of blocks below a diagonal, the offset from which their product is subtracted.
    targets: Vec<usize>,
    /// The offset of the diagonal block of a node, and the node's first row in the matrix.
    diagonals: Vec<(usize, usize)>,
    values: Vec<T>,
    /// The diagonal before elimination, against which pivots are checked.
    scale: Vec<T>,
    /// The part of the diagonal below which a pivot counts as zero, row by row.
    least: Vec<T>,
    d_inv: Vec<T>,
}

/// The unit of elimination: the rows of one node.
#[derive(Clone, Debug)]
struct Column {
    /// First row in the matrix.
    row: usize,
    size: usize,
    /// Offset of its diagonal block.
    start: usize,
    /// Its blocks below the diagonal.
    below: (usize, usize),
    /// The first of its targets.
    target: usize,
}

/// A block below a diagonal.
#[derive(Clone, Copy, Debug)]
struct Block {
    node: usize,
    row: usize,
    size: usize,
    start: usize,
}

/// The position of the block of two nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Coupling {
    /// The node whose rows are the block's.
    pub(crate) row: usize,
    /// The node whose rows are the block's columns.
    pub(crate) column: usize,
    start: usize,
}

impl<T: Real> BlockLdlt<T> {
    /// The pattern for nodes of `sizes` rows each; each of `cliques` lists nodes that share blocks. Nodes of different parts share
    /// none; the columns of a part follow each other, in the order of the parts.
    pub(crate) fn new(
        sizes: &[usize],
        cliques: &[Vec<usize>],
        part: impl Fn(usize) -> usize,
    ) -> Self {
        let mut rows = Vec::with_capacity(sizes.len());
        let mut total = 0;
        for size in sizes {
            rows.push(total);
            total += size;
        }
        let mut matrix = Self {
            columns: Vec::with_capacity(sizes.len()),
            below: Vec::new(),
            targets: Vec::new(),
            diagonals: rows.iter().map(|&row| (0, row)).collect(),
            values: Vec::new(),
            scale: vec![T::zero(); total],
            least: vec![T::simd_default_epsilon().simd_sqrt(); total],
            d_inv: vec![T::zero(); total],
        };
        let mut end = 0;
        let mut eliminations = minimum_degree(sizes.len(), cliques);
        eliminations.sort_by_key(|it| part(it.node));
        for elimination in eliminations {
            let (node, first) = (elimination.node, matrix.below.len());
            let (size, start) = (sizes[node], end);
            matrix.diagonals[node].0 = start;
            end += size * size;
            for node in elimination.below {
                let block = Block {
                    node,
                    row: rows[node],
                    size: sizes[node],
                    start: end,
                };
                matrix.below.push(block);
                end += block.size * size;
            }
            matrix.columns.push(Column {
                row: rows[node],
                size,
                start,
                below: (first, matrix.below.len()),
                target: 0,
            });
        }
        matrix.values = vec![T::zero(); end];
        matrix.find_targets();
        matrix
    }

    fn find_targets(&mut self) {
        let mut step_of = vec![0; self.columns.len()];
        let nodes: Vec<usize> = self.nodes();
        for (step, &node) in nodes.iter().enumerate() {
            step_of[node] = step;
        }
        for step in 0..self.columns.len() {
            self.columns[step].target = self.targets.len();
            let (first, last) = self.columns[step].below;
            for j in first..last {
                for i in j..last {
                    let (row, column) = (self.below[i].node, self.below[j].node);
                    let start = self.start(row, column, step_of[column]);
                    self.targets.push(start);
                }
            }
        }
    }

    /// The nodes in order of elimination.
    fn nodes(&self) -> Vec<usize> {
        let mut of_row: Vec<(usize, usize)> = (0..self.diagonals.len())
            .map(|node| (self.diagonals[node].0, node))
            .collect();
        of_row.sort_unstable();
        of_row.into_iter().map(|(_, node)| node).collect()
    }

    /// Offset of the block of two nodes; `column` is eliminated at `step`, not after `row`.
    fn start(&self, row: usize, column: usize, step: usize) -> usize {
        if row == column {
            return self.diagonals[row].0;
        }
        let (first, last) = self.columns[step].below;
        let found = self.below[first..last].iter().find(|it| it.node == row);
        found.expect("elimination has coupled the nodes").start
    }

    /// All pairs of nodes of a clique, each with the position of its block.
    pub(crate) fn couplings<'a>(
        &'a self,
        clique: &'a [usize],
    ) -> impl Iterator<Item = Coupling> + 'a {
        clique.iter().enumerate().flat_map(move |(k, &a)| {
            clique[k + 1..].iter().map(move |&b| {
                // Columns are in the order of elimination.
                let a_first = self.diagonals[a].0 < self.diagonals[b].0;
                let (column, row) = if a_first { (a, b) } else { (b, a) };
                let start = self.diagonals[column].0;
                let step = self.columns.partition_point(|it| it.start < start);
                Coupling {
                    row,
                    column,
                    start: self.start(row, column, step),
                }
            })
        })
    }

    /// A = 0 in these columns
    pub(crate) fn clear(&mut self, columns: Range<usize>) {
        let start = |column: usize| {
            self.columns
                .get(column)
                .map_or(self.values.len(), |it| it.start)
        };
        let values = start(columns.start)..start(columns.end);
        self.values[values].fill(T::zero());
    }

    /// The diagonal block of a node of `size` rows, row by row; only its lower triangle is read.
    pub(crate) fn diagonal_mut(&mut self, node: usize, size: usize) -> &mut [T] {
        let start = self.diagonals[node].0;
        &mut self.values[start..start + size * size]
    }

    /// The block of two nodes, `length` entries row by row.
    pub(crate) fn block_mut(&mut self, coupling: &Coupling, length: usize) -> &mut [T] {
        &mut self.values[coupling.start..coupling.start + length]
    }

    /// Replaces A by L and D in the columns of a part; true if rows have been set aside.
    ///
    /// # Errors
    /// [`Singular`] for a pivot that is not finite, and for a row whose diagonal is zero.
    pub(crate) fn factor(&mut self, columns: Range<usize>) -> Result<bool, Singular> {
        let mut are_aside = false;
        let columns = &self.columns[columns];
        for column in columns {
            let Column {
                row, size, start, ..
            } = *column;
            for i in 0..size {
                self.scale[row + i] = self.values[start + i * size + i];
            }
        }
        for column in columns {
            let &Column {
                row,
                size,
                start,
                below: (first, last),
                target,
            } = column;
            let blocks = &self.below[first..last];
            let end = blocks
                .last()
                .map_or(start + size * size, |block| block.start + block.size * size);
            let (done, rest) = self.values.split_at_mut(end);
            let (diagonal, panel) = done[start..].split_at_mut(size * size);
            let rows = row..row + size;
            let d_inv = &mut self.d_inv[rows.clone()];
            let (scale_of, least) = (&self.scale[rows.clone()], &self.least[rows]);
            are_aside |= factor_semidefinite(diagonal, d_inv, scale_of, least, row)?;
            for row in panel.chunks_exact_mut(size) {
                substitute(diagonal, row);
            }
            let targets = &self.targets[target..];
            subtract_products(
                blocks,
                panel,
                start + size * size,
                d_inv,
                targets,
                end,
                rest,
            );
            for row in panel.chunks_exact_mut(size) {
                scale(row, d_inv);
            }
        }
        Ok(are_aside)
    }

    /// The rows of a part that have been set aside.
    pub(crate) fn rows_aside(&self, columns: Range<usize>) -> impl Iterator<Item = usize> + '_ {
        let rows = self.columns[columns]
            .iter()
            .flat_map(|it| it.row..it.row + it.size);
        rows.filter(|&row| self.d_inv[row].simd_eq(T::zero()).any())
    }

    /// One in the lanes in which a row has been set aside, zero in the others.
    pub(crate) fn is_aside(&self, row: usize) -> T {
        T::one().select(self.d_inv[row].simd_eq(T::zero()), T::zero())
    }

    /// The diagonal before elimination.
    pub(crate) fn diagonal(&self, row: usize) -> T {
        self.scale[row]
    }

    /// Lets a row that has been set aside keep its pivot in the next factorisation, and smaller ones down to a part of it.
    ///
    /// # Errors
    /// [`Singular`] for a pivot that is rounding.
    pub(crate) fn keep(&mut self, row: usize) -> Result<(), Singular> {
        let columns = self.columns.iter();
        let mut own = columns.filter(|it| (it.row..it.row + it.size).contains(&row));
        let column = own.next().expect("a row of the matrix");
        let (size, at) = (column.size, row - column.row);
        let pivot = self.values[column.start + at * size + at];
        let aside = self.d_inv[row].simd_eq(T::zero());
        let pivot = pivot.select(aside, self.scale[row]);
        check_pivot(row, pivot, self.scale[row])?;
        let least = pivot / self.scale[row] * T::lit(LEAST_KEPT);
        self.least[row] = least.select(aside, self.least[row]);
        Ok(())
    }

    /// Replaces b, one in a row that has been set aside, by x with A x = 0.
    pub(crate) fn complete(&self, columns: Range<usize>, b: &mut [T]) {
        for column in self.columns[columns].iter().rev() {
            self.substitute_back(column, b);
        }
    }

    /// Replaces b by x with A x = b in the rows of a part, once its columns are factored.
    pub(crate) fn solve(&self, columns: Range<usize>, b: &mut [T]) {
        let columns = &self.columns[columns];
        for column in columns {
            let (diagonal, blocks) = self.parts(column);
            let (row, size) = (column.row, column.size);
            substitute(diagonal, &mut b[row..row + size]);
            for block in blocks {
                for i in 0..block.size {
                    let l = &self.values[block.start + i * size..][..size];
                    let product = dot(l, &b[row..row + size]);
                    b[block.row + i] -= product;
                }
            }
        }
        for column in columns.iter().rev() {
            let rows = column.row..column.row + column.size;
            scale(&mut b[rows.clone()], &self.d_inv[rows]);
            self.substitute_back(column, b);
        }
    }

    #[inline]
    fn substitute_back(&self, column: &Column, b: &mut [T]) {
        let (diagonal, blocks) = self.parts(column);
        let (row, size) = (column.row, column.size);
        for block in blocks {
            for i in 0..block.size {
                let l = &self.values[block.start + i * size..][..size];
                let x = b[block.row + i];
                for (k, &l) in l.iter().enumerate() {
                    b[row + k] -= l * x;
                }
            }
        }
        substitute_transposed(diagonal, &mut b[row..row + size]);
    }

    fn parts(&self, column: &Column) -> (&[T], &[Block]) {
        let diagonal = &self.values[column.start..][..column.size * column.size];
        (diagonal, &self.below[column.below.0..column.below.1])
    }
}

/// Subtracts U D⁻¹ Uᵀ, U being the panel, from the blocks after it; those start at `offset`.
fn subtract_products<T: Real>(
    blocks: &[Block],
    panel: &[T],
    panel_start: usize,
    d_inv: &[T],
    targets: &[usize],
    offset: usize,
    behind: &mut [T],
) {
    let n = d_inv.len();
    let rows = |block: &Block| {
        let start = block.start - panel_start;
        panel[start..start + block.size * n].chunks_exact(n)
    };
    let mut targets = targets.iter();
    for (j, column) in blocks.iter().enumerate() {
        for row in &blocks[j..] {
            let target = targets.next().expect("a target for each pair") - offset;
            let target = &mut behind[target..target + row.size * column.size];
            for (target, u) in target.chunks_exact_mut(column.size).zip(rows(row)) {
                for (target, w) in target.iter_mut().zip(rows(column)) {
                    for ((&u, &w), &d_inv) in u.iter().zip(w).zip(d_inv) {
                        *target -= u * d_inv * w;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    /// Nodes of 1 to 3 rows with the pattern of the cliques, dominated by the diagonal.
    fn dense(sizes: &[usize], cliques: &[Vec<usize>]) -> DMatrix<f64> {
        let owner: Vec<usize> = (0..sizes.len())
            .flat_map(|node| core::iter::repeat_n(node, sizes[node]))
            .collect();
        let n = owner.len();
        DMatrix::from_fn(n, n, |i, j| {
            let share = |it: &Vec<usize>| it.contains(&owner[i]) && it.contains(&owner[j]);
            let (low, high) = (i.min(j) as f64, i.max(j) as f64);
            match i == j {
                true => 10.0 + low,
                false if owner[i] == owner[j] || cliques.iter().any(share) => {
                    (1.0 + 3.0 * low - 2.0 * high).sin()
                }
                false => 0.0,
            }
        })
    }

    fn filled(sizes: &[usize], cliques: &[Vec<usize>], a: &DMatrix<f64>) -> BlockLdlt<f64> {
        let mut matrix = BlockLdlt::new(sizes, cliques, |_| 0);
        let first = |node: usize| sizes[..node].iter().sum::<usize>();
        for (node, &size) in sizes.iter().enumerate() {
            let block = matrix.diagonal_mut(node, size);
            for (k, entry) in block.iter_mut().enumerate() {
                *entry = a[(first(node) + k / size, first(node) + k % size)];
            }
        }
        let couplings: Vec<_> = cliques.iter().flat_map(|it| matrix.couplings(it)).collect();
        for coupling in &couplings {
            let (rows, columns) = (sizes[coupling.row], sizes[coupling.column]);
            let block = matrix.block_mut(coupling, rows * columns);
            for (k, entry) in block.iter_mut().enumerate() {
                let (i, j) = (first(coupling.row), first(coupling.column));
                *entry = a[(i + k / columns, j + k % columns)];
            }
        }
        matrix
    }

    #[test]
    fn chains_trees_and_rings_are_solved() {
        let chain: Vec<Vec<usize>> = (0..6).map(|i| vec![i, i + 1]).collect();
        let ring: Vec<Vec<usize>> = (0..7).map(|i| vec![i, (i + 1) % 7]).collect();
        let tree = vec![vec![0, 2, 4], vec![0, 1], vec![2, 3], vec![4, 5, 6]];
        let sizes = [1, 3, 2, 1, 3, 3, 2];
        for cliques in [chain, ring, tree] {
            let a = dense(&sizes, &cliques);
            let mut matrix = filled(&sizes, &cliques, &a);
            let all = 0..sizes.len();
            matrix.factor(all.clone()).unwrap();
            let x = DVector::from_fn(a.nrows(), |i, _| (i as f64 + 0.5).cos());
            let mut found = &a * &x;
            matrix.solve(all, found.as_mut_slice());
            assert!((found - x).norm() < 1e-14);
        }
    }

    #[test]
    fn a_dependent_row_is_set_aside_and_completed() {
        let (sizes, cliques) = ([2, 1], [vec![0, 1]]);
        let j = DMatrix::from_row_slice(
            3,
            4,
            &[1.0, 0.3, 0.0, 0.7, 0.1, 1.0, 0.2, 0.0, 1.1, 1.3, 0.2, 0.7],
        );
        let a = &j * j.transpose();
        let mut matrix = filled(&sizes, &cliques, &a);
        let all = 0..sizes.len();
        assert!(matrix.factor(all.clone()).unwrap());
        // The single row has as few neighbours as the other two and came later.
        assert_eq!(matrix.rows_aside(all.clone()).collect::<Vec<_>>(), [2]);
        let mut z = DVector::from_column_slice(&[0.0, 0.0, 1.0]);
        matrix.complete(all.clone(), z.as_mut_slice());
        // The third row is the sum of the others.
        assert!((&z - DVector::from_column_slice(&[-1.0, -1.0, 1.0])).norm() < 1e-14);
        let mut x = &a * DVector::from_column_slice(&[1.0, 2.0, 3.0]);
        let b = x.clone();
        matrix.solve(all, x.as_mut_slice());
        assert!(x[2] == 0.0 && (&a * x - b).norm() < 1e-13);
    }

    #[test]
    fn a_pivot_that_is_kept_is_not_set_aside_and_one_that_is_rounding_cannot_be() {
        let a = |pivot: f64| DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 1.0, 1.0 + pivot]);
        let (sizes, cliques) = ([1, 1], [vec![0, 1]]);
        let mut matrix = filled(&sizes, &cliques, &a(1e-9));
        assert!(matrix.factor(0..2).unwrap());
        matrix.keep(1).unwrap();
        let mut kept = filled(&sizes, &cliques, &a(1e-9));
        kept.least = matrix.least;
        assert!(!kept.factor(0..2).unwrap());
        let mut matrix = filled(&sizes, &cliques, &a(1e-15));
        assert!(matrix.factor(0..2).unwrap());
        assert_eq!(matrix.keep(1).unwrap_err().row, 1);
    }

    #[test]
    fn a_row_that_vanishes_is_an_error() {
        let a = DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 0.0, 0.0]);
        let mut matrix = filled(&[1, 1], &[vec![0, 1]], &a);
        assert_eq!(matrix.factor(0..2).unwrap_err().row, 1);
    }
}
