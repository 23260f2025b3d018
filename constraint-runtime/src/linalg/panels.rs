//! Large sparse systems: A x = b by L D Lᵀ in blocks of four by four rows, whose positions generated code supplies as
//! tables.
//!
//! ```text
//! panel 0   ⎡ ▣         ⎤      ▣ = L D Lᵀ of itself;   □ ← □ L⁻ᵀ D⁻¹;   subtract □ᵢ D □ⱼᵀ at (i, j)
//! panel 1   ⎢ □  ▣      ⎥
//! panel 2   ⎢    □  ▣   ⎥      column by column; no block outside the pattern is touched
//! panel 3   ⎣ □     □  ▣⎦
//! ```
//! Right-looking, after [Ng & Peyton 1993]: the columns of a panel are coupled with the same rows, so a block needs
//! no index lookups and four entries are multiplied at once. Positive definite matrices need no pivoting.

use crate::checks::check_pivot;
use crate::error::Singular;
use crate::real::Real;

/// Rows of a panel.
const WIDTH: usize = 4;

type Line<T> = [T; WIDTH];
type Block<T> = [Line<T>; WIDTH];

/// The nonzero blocks of a sparse symmetric matrix, in the order of elimination, and the targets of their products.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    /// Per panel: the number of blocks below its diagonal.
    pub below: &'static [u32],
    /// Panel by panel: the later panels in whose rows they lie, in ascending order.
    pub rows: &'static [u32],
    /// Panel by panel, for each pair of blocks, ordered by the block that is the column: the target of their product,
    /// in blocks after the panel's own.
    pub targets: &'static [u32],
    /// Per slot of a panel: its row; [`Pattern::NONE`] if the slot is empty.
    pub names: &'static [u32],
}

impl Pattern {
    /// Marks empty slots of a panel with fewer than four rows.
    pub const NONE: u32 = u32::MAX;

    /// Overwrites `x` with A⁻¹ x.
    ///
    /// `blocks` has the lower triangle of A, diagonal block and blocks below panel by panel, each line by line, and zeros
    /// elsewhere; it becomes L and D⁻¹. `scales` is scratch, as long as `x`.
    ///
    /// # Errors
    /// [`Singular`] for the first pivot that is not positive beyond rounding.
    pub fn solve<T: Real>(
        &self,
        blocks: &mut [T],
        scales: &mut [T],
        x: &mut [T],
    ) -> Result<(), Singular> {
        let blocks = blocks.as_chunks_mut().0.as_chunks_mut().0;
        let (scales, x) = (scales.as_chunks_mut().0, x.as_chunks_mut().0);
        self.keep_diagonal(blocks, scales);
        self.factor(blocks, scales, x)?;
        self.substitute(blocks, x);
        Ok(())
    }

    /// Overwrites `x` with A⁻¹ x, with the L and D⁻¹ that [`Pattern::solve`] has left in `blocks`.
    pub fn solve_again<T: Real>(&self, blocks: &[T], x: &mut [T]) {
        let blocks = blocks.as_chunks().0.as_chunks().0;
        let x = x.as_chunks_mut().0;
        let (mut rest, mut rows) = (blocks, self.rows);
        for (panel, &below) in self.below.iter().enumerate() {
            let (own, others) = rest.split_at(1 + below as usize);
            let (own_rows, other_rows) = rows.split_at(below as usize);
            x[panel] = forward(&own[0], x[panel]);
            take_from_later(&own[1..], own_rows, panel, x);
            (rest, rows) = (others, other_rows);
        }
        self.substitute(blocks, x);
    }

    /// The diagonal before elimination, against which pivots are checked; ones in empty slots.
    fn keep_diagonal<T: Real>(&self, blocks: &mut [Block<T>], scales: &mut [Line<T>]) {
        let mut first = 0;
        let names = self.names.as_chunks::<WIDTH>().0;
        for ((&below, scale), names) in self.below.iter().zip(scales).zip(names) {
            let diagonal = &mut blocks[first];
            for c in 0..WIDTH {
                if names[c] == Self::NONE {
                    diagonal[c][c] = T::one();
                }
                scale[c] = diagonal[c][c];
            }
            first += 1 + below as usize;
        }
    }

    /// A = L D Lᵀ and x ← L⁻¹ x, panel by panel.
    fn factor<T: Real>(
        &self,
        blocks: &mut [Block<T>],
        scales: &[Line<T>],
        x: &mut [Line<T>],
    ) -> Result<(), Singular> {
        let (mut rest, mut rows, mut targets) = (blocks, self.rows, self.targets);
        for (panel, &below) in self.below.iter().enumerate() {
            let own = rest.split_off_mut(..1 + below as usize);
            let Some((diagonal, below)) = own.and_then(<[_]>::split_first_mut) else {
                return Ok(());
            };
            let names = &self.names[WIDTH * panel..];
            let pivots = factor_diagonal(diagonal, &scales[panel], names)?;
            x[panel] = forward(diagonal, x[panel]);
            for block in below.iter_mut() {
                for line in block {
                    *line = times(forward(diagonal, *line), inverses(diagonal));
                }
            }
            let (own_rows, other_rows) = rows.split_at(below.len());
            take_from_later(below, own_rows, panel, x);
            rows = other_rows;
            for column in 0..below.len() {
                let below = &below[column..];
                let (own, others) = targets.split_at(below.len());
                take_products(rest, below, own, pivots);
                targets = others;
            }
        }
        Ok(())
    }

    /// x ← L⁻ᵀ D⁻¹ x, last panel first.
    fn substitute<T: Real>(&self, blocks: &[Block<T>], x: &mut [Line<T>]) {
        let (mut rest, mut rows) = (blocks, self.rows);
        for (panel, &below) in self.below.iter().enumerate().rev() {
            let below = below as usize;
            let (others, own) = rest.split_at(rest.len() - below - 1);
            let (other_rows, own_rows) = rows.split_at(rows.len() - below);
            (rest, rows) = (others, other_rows);
            let diagonal = &own[0];
            let mut z = times(x[panel], inverses(diagonal));
            // Two independent sums: each waits for the other half as often.
            let mut other = [T::zero(); WIDTH];
            for (block, &row) in own[1..].iter().zip(own_rows) {
                let x = x[row as usize];
                for c in 0..WIDTH {
                    z[c] -= block[0][c] * x[0] + block[1][c] * x[1];
                    other[c] += block[2][c] * x[2] + block[3][c] * x[3];
                }
            }
            for c in 0..WIDTH {
                z[c] -= other[c];
            }
            for c in (0..WIDTH).rev() {
                for k in c + 1..WIDTH {
                    z[c] -= diagonal[k][c] * z[k];
                }
            }
            x[panel] = z;
        }
    }
}

/// Subtracts what the unknowns of a panel take off those of later ones.
#[inline(always)]
fn take_from_later<T: Real>(below: &[Block<T>], rows: &[u32], panel: usize, x: &mut [Line<T>]) {
    let z = x[panel];
    for (block, &row) in below.iter().zip(rows) {
        for (line, x) in block.iter().zip(&mut x[row as usize]) {
            *x -= line[0] * z[0] + line[1] * z[1] + line[2] * z[2] + line[3] * z[3];
        }
    }
}

/// L below the diagonal and D⁻¹ on it; gives D back.
#[inline(always)]
fn factor_diagonal<T: Real>(
    block: &mut Block<T>,
    scale: &Line<T>,
    names: &[u32],
) -> Result<Line<T>, Singular> {
    let mut pivots = [T::zero(); WIDTH];
    for c in 0..WIDTH {
        let mut line = block[c];
        for b in 0..c {
            for a in 0..b {
                line[b] -= line[a] * block[b][a];
            }
        }
        for b in 0..c {
            let l = line[b] * block[b][b];
            line[c] -= line[b] * l;
            line[b] = l;
        }
        check_pivot(names[c] as usize, line[c], scale[c])?;
        pivots[c] = line[c];
        line[c] = T::one() / line[c];
        block[c] = line;
    }
    Ok(pivots)
}

/// L⁻¹ x of a diagonal block.
#[inline(always)]
fn forward<T: Real>(diagonal: &Block<T>, mut x: Line<T>) -> Line<T> {
    for c in 1..WIDTH {
        for b in 0..c {
            x[c] -= diagonal[c][b] * x[b];
        }
    }
    x
}

#[inline(always)]
fn inverses<T: Real>(diagonal: &Block<T>) -> Line<T> {
    core::array::from_fn(|c| diagonal[c][c])
}

#[inline(always)]
fn times<T: Real>(a: Line<T>, b: Line<T>) -> Line<T> {
    core::array::from_fn(|c| a[c] * b[c])
}

/// Subtracts the products of the first block, as a column, and each of the blocks: □ᵢ D □ⱼᵀ.
#[inline(always)]
fn take_products<T: Real>(
    rest: &mut [Block<T>],
    below: &[Block<T>],
    targets: &[u32],
    pivots: Line<T>,
) {
    let column = &below[0];
    let scaled: Block<T> =
        core::array::from_fn(|c| core::array::from_fn(|j| column[j][c] * pivots[c]));
    for (block, &target) in below.iter().zip(targets) {
        for (line, to) in block.iter().zip(&mut rest[target as usize]) {
            let mut left = *to;
            for c in 0..WIDTH {
                for j in 0..WIDTH {
                    left[j] -= line[c] * scaled[c][j];
                }
            }
            *to = left;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    /// Four panels as drawn above, the second of two rows; (2, 1) couples 3 with 2, and (3, 0) with 1 fills in (3, 1).
    const PATTERN: Pattern = Pattern {
        below: &[2, 2, 1, 0],
        rows: &[1, 3, 2, 3, 3],
        targets: &[0, 2, 5, 0, 1, 2, 0],
        names: &[
            6,
            4,
            2,
            0,
            1,
            3,
            Pattern::NONE,
            Pattern::NONE,
            5,
            7,
            9,
            8,
            10,
            11,
            12,
            13,
        ],
    };
    const BLOCKS: [(usize, usize); 9] = [
        (0, 0),
        (1, 0),
        (3, 0),
        (1, 1),
        (2, 1),
        (3, 1),
        (2, 2),
        (3, 2),
        (3, 3),
    ];

    fn number(i: usize, j: usize) -> f64 {
        ((7 * i + 3 * j + i * j) as f64).sin()
    }

    /// A with `add` on its diagonal, as blocks and dense, without couplings of what is no row and of (3, 1).
    fn matrix(add: f64) -> (Vec<f64>, DMatrix<f64>) {
        let mut dense = DMatrix::zeros(16, 16);
        for &(i, j) in BLOCKS.iter().filter(|&&block| block != (3, 1)) {
            for (r, c) in (0..16).map(|k| (4 * i + k / 4, 4 * j + k % 4)) {
                let is_row = |place: usize| PATTERN.names[place] != Pattern::NONE;
                if r > c && is_row(r) && is_row(c) {
                    (dense[(r, c)], dense[(c, r)]) = (number(r, c), number(r, c));
                } else if r == c && is_row(r) {
                    dense[(r, r)] = add + number(r, r);
                }
            }
        }
        let entry = |&(i, j): &(usize, usize)| {
            let dense = &dense;
            (0..16)
                .map(move |k| (4 * i + k / 4, 4 * j + k % 4))
                .map(move |(r, c)| if r < c { 0.0 } else { dense[(r, c)] })
        };
        (BLOCKS.iter().flat_map(entry).collect(), dense)
    }

    #[test]
    fn a_matrix_in_blocks_is_solved_as_the_dense_one() {
        let (mut blocks, mut dense) = matrix(9.0);
        (dense[(6, 6)], dense[(7, 7)]) = (1.0, 1.0);
        let b = DVector::from_fn(16, |i, _| if i == 6 || i == 7 { 0.0 } else { number(i, 5) });
        let expected = dense.lu().solve(&b).expect("it is regular");
        let (mut scales, mut x) = (vec![0.0; 16], b.as_slice().to_vec());
        PATTERN
            .solve(&mut blocks, &mut scales, &mut x)
            .expect("it is positive definite");
        for (x, expected) in x.iter().zip(&expected) {
            assert!((x - expected).abs() < 1e-14, "{x} {expected}");
        }
    }

    #[test]
    fn another_right_hand_side_is_solved_for_with_the_same_factors() {
        let (mut blocks, mut dense) = matrix(9.0);
        (dense[(6, 6)], dense[(7, 7)]) = (1.0, 1.0);
        let (mut scales, mut x) = (vec![0.0; 16], vec![0.0; 16]);
        PATTERN
            .solve(&mut blocks, &mut scales, &mut x)
            .expect("it is positive definite");
        let b = DVector::from_fn(16, |i, _| if i == 6 || i == 7 { 0.0 } else { number(i, 3) });
        let expected = dense.lu().solve(&b).expect("it is regular");
        let mut x = b.as_slice().to_vec();
        PATTERN.solve_again(&blocks, &mut x);
        for (x, expected) in x.iter().zip(&expected) {
            assert!((x - expected).abs() < 1e-14, "{x} {expected}");
        }
    }

    /// The row is that of the names.
    #[test]
    fn a_pivot_that_is_not_positive_is_named() {
        let (mut blocks, _) = matrix(9.0);
        // The third row of the third panel: what is eliminated takes more than is left.
        blocks[16 * 6 + 10] = 1e-3;
        let (mut scales, mut x) = (vec![0.0; 16], vec![0.0; 16]);
        let error = PATTERN.solve(&mut blocks, &mut scales, &mut x).unwrap_err();
        assert_eq!(error.row, 9);
        assert!(error.pivot < 0.0);
    }
}
