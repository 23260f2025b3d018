//! The steps of panels over any type of number, in the blocks and by the tables of generated code.
//!
//! The runtime takes the same steps, with four numbers at once; here they go entry by entry, in the same order, and zeros
//! are skipped.

use crate::schedule::Element;
use crate::solve::{Panels, WIDTH};

/// Numbers of a block.
const SIZE: usize = WIDTH * WIDTH;

/// A pivot and the entry before elimination, with their row.
pub type Pivot<R> = (usize, [R; 2]);

// Macros run unoptimised, where iterators cost more than the work inside; the hot loops are therefore written by hand.

/// The blocks of A become L and D⁻¹; gives the pivots.
///
/// # Errors
/// A pivot has no reciprocal.
pub fn eliminate<R: Element>(
    panels: &Panels,
    blocks: &mut [R],
    one: R,
) -> Result<Vec<Pivot<R>>, R::Stop> {
    let mut before = Vec::with_capacity(panels.rows.len());
    let mut begin = 0;
    for (rows, below) in panels.rows.iter().zip(&panels.below) {
        let mut diagonal = [one; WIDTH];
        for c in 0..WIDTH {
            let entry = &mut blocks[begin + (WIDTH + 1) * c];
            if c >= rows.len() {
                *entry = one;
            }
            diagonal[c] = *entry;
        }
        before.push(diagonal);
        begin += SIZE * (1 + below.len());
    }
    let targets = panels.targets();
    let (mut begin, mut pair, mut pivots) = (0, 0, Vec::new());
    for ((rows, below), before) in panels.rows.iter().zip(&panels.below).zip(before) {
        let rest = begin + SIZE * (1 + below.len());
        let (own, others) = blocks.split_at_mut(rest);
        let (diagonal, below) = own[begin..].split_at_mut(SIZE);
        let pivot = within(diagonal)?;
        for (c, &row) in rows.iter().enumerate() {
            pivots.push((row, [pivot[c], before[c]]));
        }
        for line in below.chunks_exact_mut(WIDTH) {
            forward(diagonal, line);
            for c in 0..WIDTH {
                line[c] = line[c] * diagonal[(WIDTH + 1) * c];
            }
        }
        for column in (0..below.len()).step_by(SIZE) {
            for row in (column..below.len()).step_by(SIZE) {
                let target = &mut others[SIZE * targets[pair]..][..SIZE];
                take_product(target, [&below[row..], &below[column..]], pivot);
                pair += 1;
            }
        }
        begin = rest;
    }
    Ok(pivots)
}

/// L below the diagonal of a block and D⁻¹ on it; gives D back.
fn within<R: Element>(block: &mut [R]) -> Result<[R; WIDTH], R::Stop> {
    let mut pivots = [R::ZERO; WIDTH];
    for c in 0..WIDTH {
        let (above, line) = block.split_at_mut(WIDTH * c);
        for b in 0..c {
            for a in 0..b {
                line[b] = line[b] - line[a] * above[WIDTH * b + a];
            }
        }
        for b in 0..c {
            let l = line[b] * above[(WIDTH + 1) * b];
            line[c] = line[c] - line[b] * l;
            line[b] = l;
        }
        pivots[c] = line[c];
        line[c] = line[c].inverse()?;
    }
    Ok(pivots)
}

/// L⁻¹ x of a block on the diagonal.
fn forward<R: Element>(diagonal: &[R], x: &mut [R]) {
    for b in 0..WIDTH {
        let known = x[b];
        if known == R::ZERO {
            continue;
        }
        for c in b + 1..WIDTH {
            x[c] = x[c] - diagonal[WIDTH * c + b] * known;
        }
    }
}

/// Subtracts □ᵢ D □ⱼᵀ.
fn take_product<R: Element>(target: &mut [R], [row, column]: [&[R]; 2], pivots: [R; WIDTH]) {
    for c in 0..WIDTH {
        for j in 0..WIDTH {
            let right = column[WIDTH * j + c];
            if right == R::ZERO {
                continue;
            }
            let right = right * pivots[c];
            for i in 0..WIDTH {
                let left = row[WIDTH * i + c];
                if left != R::ZERO {
                    let entry = &mut target[WIDTH * i + j];
                    *entry = *entry - left * right;
                }
            }
        }
    }
}

/// x, which is b, becomes A⁻¹ b, with the L and D⁻¹ in the blocks.
pub fn substitute<R: Element>(panels: &Panels, blocks: &[R], x: &mut [R]) {
    let mut begin = 0;
    for (panel, below) in panels.below.iter().enumerate() {
        let (at, own) = (WIDTH * panel, begin + SIZE);
        forward(&blocks[begin..], &mut x[at..at + WIDTH]);
        for (k, &row) in below.iter().enumerate() {
            let block = &blocks[own + SIZE * k..][..SIZE];
            for (i, line) in block.chunks_exact(WIDTH).enumerate() {
                let first = line[0] * x[at] + line[1] * x[at + 1];
                let sum = first + line[2] * x[at + 2] + line[3] * x[at + 3];
                x[WIDTH * row + i] = x[WIDTH * row + i] - sum;
            }
        }
        begin = own + SIZE * below.len();
    }
    for (panel, below) in panels.below.iter().enumerate().rev() {
        let (at, own) = (WIDTH * panel, begin - SIZE * below.len());
        begin = own - SIZE;
        for c in 0..WIDTH {
            x[at + c] = x[at + c] * blocks[begin + (WIDTH + 1) * c];
        }
        subtract_later(&blocks[own..], below, at, x);
        let diagonal = &blocks[begin..own];
        for c in (0..WIDTH).rev() {
            for k in c + 1..WIDTH {
                x[at + c] = x[at + c] - diagonal[WIDTH * k + c] * x[at + k];
            }
        }
    }
}

/// Subtracts the products with the unknowns of later panels from the four unknowns at `at`, in two sums like the runtime.
fn subtract_later<R: Element>(blocks: &[R], below: &[usize], at: usize, x: &mut [R]) {
    let mut other = [R::ZERO; WIDTH];
    for (k, &row) in below.iter().enumerate() {
        let block = &blocks[SIZE * k..][..SIZE];
        let later = WIDTH * row;
        for c in 0..WIDTH {
            let pair = |a: usize| {
                block[WIDTH * a + c] * x[later + a] + block[WIDTH * (a + 1) + c] * x[later + a + 1]
            };
            other[c] = other[c] + pair(2);
            x[at + c] = x[at + c] - pair(0);
        }
    }
    for c in 0..WIDTH {
        x[at + c] = x[at + c] - other[c];
    }
}
