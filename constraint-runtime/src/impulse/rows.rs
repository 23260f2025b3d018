//! The rows of a system for sequential impulses, block by block, each with the velocities it depends on.
//!
//! Input: J and W Jᵀ of every block, in the order of the rows ([`ImpulseRows::push`]). Output: velocities that
//! satisfy the rows. Invariant: once pushed, rows can be cleared and pushed anew without allocation.

use alloc::vec::Vec;

use crate::error::Singular;
use crate::linalg::ldlt::{dot, factor_dense, scale, substitute, substitute_transposed};
use crate::real::Real;

/// J and W Jᵀ of all constraint rows at a state, as [`Constrained::impulse_rows`](crate::Constrained::impulse_rows) fills them.
///
/// The rows of one constraint are a block: [`SequentialImpulses`](crate::SequentialImpulses) satisfies them together.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// // v₀ = v₂ for masses 1 and 4.
/// let mut rows = ImpulseRows::default();
/// rows.push(&[0, 2], &[1.0, -1.0], &[1.0, -0.25]);
/// assert_eq!(rows.len(), 1);
/// let [block] = rows.blocks().collect::<Vec<_>>()[..] else { panic!("one constraint") };
/// assert_eq!(block, (&[0, 2][..], &[1.0, -1.0][..], &[1.0, -0.25][..]));
/// ```
#[derive(Debug)]
pub struct ImpulseRows<T> {
    blocks: Vec<Block>,
    coordinates: Vec<usize>,
    /// J, row by row.
    jacobian: Vec<T>,
    /// W Jᵀ, in the same order.
    weighted: Vec<T>,
    /// J W Jᵀ + γ of each block, then its factors.
    factors: Vec<T>,
    d_inv: Vec<T>,
    /// As long as the largest block.
    change: Vec<T>,
}

#[derive(Clone, Copy, Debug)]
struct Block {
    /// First row.
    row: usize,
    rows: usize,
    /// First of its coordinates.
    coordinate: usize,
    coordinates: usize,
    /// First entry of J.
    entry: usize,
    /// First entry of its factors.
    factor: usize,
}

impl<T> Default for ImpulseRows<T> {
    fn default() -> Self {
        Self {
            blocks: Vec::new(),
            coordinates: Vec::new(),
            jacobian: Vec::new(),
            weighted: Vec::new(),
            factors: Vec::new(),
            d_inv: Vec::new(),
            change: Vec::new(),
        }
    }
}

impl<T: Real> ImpulseRows<T> {
    /// Appends rows: the velocities they depend on, their entries of J there, row by row, and those of W Jᵀ.
    ///
    /// - Cost: allocates only if more is pushed than ever before.
    ///
    /// # Panics
    /// If W Jᵀ and J have different numbers of entries, or rows have different lengths.
    pub fn push(&mut self, coordinates: &[usize], jacobian: &[T], weighted: &[T]) {
        let columns = coordinates.len();
        let rows = jacobian.len() / columns.max(1);
        assert!(
            jacobian.len() == weighted.len() && jacobian.len() == rows * columns,
            "{rows} rows of {columns} entries in J and W Jᵀ"
        );
        self.push_block(coordinates, rows);
        self.jacobian.extend_from_slice(jacobian);
        self.weighted.extend_from_slice(weighted);
    }

    fn push_block(&mut self, coordinates: &[usize], rows: usize) {
        self.blocks.push(Block {
            row: self.len(),
            rows,
            coordinate: self.coordinates.len(),
            coordinates: coordinates.len(),
            entry: self.jacobian.len(),
            factor: self.factors.len(),
        });
        self.coordinates.extend_from_slice(coordinates);
        let grown = |list: &mut Vec<T>, by: usize| list.resize(list.len() + by, T::zero());
        grown(&mut self.factors, rows * rows);
        grown(&mut self.d_inv, rows);
        let missing = rows.saturating_sub(self.change.len());
        grown(&mut self.change, missing);
    }

    /// Appends rows that depend on nothing and hold at any motion.
    #[cfg(feature = "world")]
    pub(crate) fn push_inert(&mut self, rows: usize) {
        (0..rows).for_each(|_| self.push_block(&[], 1));
    }

    /// The rows by constraint: velocities, and their entries of J and of W Jᵀ, row by row.
    pub fn blocks(&self) -> impl Iterator<Item = (&[usize], &[T], &[T])> {
        self.blocks.iter().map(|block| {
            let entries = block.entry..block.entry + block.rows * block.coordinates;
            (
                &self.coordinates[block.coordinate..block.coordinate + block.coordinates],
                &self.jacobian[entries.clone()],
                &self.weighted[entries],
            )
        })
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.d_inv.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.d_inv.is_empty()
    }

    /// Removes all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.coordinates.clear();
        for list in [
            &mut self.jacobian,
            &mut self.weighted,
            &mut self.factors,
            &mut self.d_inv,
        ] {
            list.clear();
        }
    }

    /// Subtracts J v.
    pub(crate) fn subtract_rates(&self, rates: &mut [T], v: &[T]) {
        for block in &self.blocks {
            for i in 0..block.rows {
                rates[block.row + i] -= self.rate(block, i, v);
            }
        }
    }

    /// Factors J W Jᵀ + γ of every block.
    pub(crate) fn factor(&mut self, softening: T) -> Result<(), Singular> {
        for block in &self.blocks {
            let &Block {
                row,
                rows,
                coordinates,
                entry,
                factor,
                ..
            } = block;
            let line = |i: usize| entry + i * coordinates..entry + (i + 1) * coordinates;
            let matrix = &mut self.factors[factor..factor + rows * rows];
            for i in 0..rows {
                for k in 0..=i {
                    matrix[i * rows + k] = dot(&self.jacobian[line(i)], &self.weighted[line(k)]);
                }
                matrix[i * rows + i] += if coordinates == 0 {
                    T::one()
                } else {
                    softening
                };
                self.change[i] = matrix[i * rows + i];
            }
            let d_inv = &mut self.d_inv[row..row + rows];
            factor_dense(matrix, d_inv, &self.change[..rows], row)?;
        }
        Ok(())
    }

    /// v += W Jᵀ Λ
    pub(crate) fn push_velocities(&self, impulse: &[T], v: &mut [T]) {
        for block in &self.blocks {
            self.accelerate(block, &impulse[block.row..block.row + block.rows], v);
        }
    }

    /// Satisfies J v + drive + γ Λ = 0 in one block after the other.
    pub(crate) fn sweep(&mut self, target: &mut Target<'_, T>, backwards: bool) {
        let last = self.blocks.len().saturating_sub(1);
        for k in 0..self.blocks.len() {
            self.obey(if backwards { last - k } else { k }, target);
        }
    }

    fn obey(&mut self, index: usize, target: &mut Target<'_, T>) {
        let block = self.blocks[index];
        let Block {
            row, rows, factor, ..
        } = block;
        let mut change = core::mem::take(&mut self.change);
        for (i, change) in change[..rows].iter_mut().enumerate() {
            let excess = target.drive[row + i] + target.softening * target.impulse[row + i];
            *change = -(excess + self.rate(&block, i, target.v));
        }
        let found = &mut change[..rows];
        let factors = &self.factors[factor..factor + rows * rows];
        substitute(factors, found);
        scale(found, &self.d_inv[row..row + rows]);
        substitute_transposed(factors, found);
        for (sum, &change) in target.impulse[row..].iter_mut().zip(&*found) {
            *sum += change;
        }
        self.accelerate(&block, found, target.v);
        self.change = change;
    }

    /// Row i of J v.
    #[inline]
    fn rate(&self, block: &Block, i: usize, v: &[T]) -> T {
        let start = block.entry + i * block.coordinates;
        let entries = &self.jacobian[start..start + block.coordinates];
        let coordinates = &self.coordinates[block.coordinate..];
        let terms = entries.iter().zip(coordinates);
        terms.fold(T::zero(), |sum, (&entry, &k)| sum + entry * v[k])
    }

    #[inline]
    fn accelerate(&self, block: &Block, impulse: &[T], v: &mut [T]) {
        let coordinates = &self.coordinates[block.coordinate..][..block.coordinates];
        let lines = self.weighted[block.entry..].chunks_exact(block.coordinates.max(1));
        for (line, &impulse) in lines.zip(impulse) {
            for (&entry, &k) in line.iter().zip(coordinates) {
                v[k] += entry * impulse;
            }
        }
    }
}

/// The vectors that a sweep changes, and the values it aims for.
pub(crate) struct Target<'a, T> {
    /// v
    pub v: &'a mut [T],
    /// Λ
    pub impulse: &'a mut [T],
    /// Added to J v and γ Λ; the sum is to vanish.
    pub drive: &'a [T],
    /// γ
    pub softening: T,
}
