//! The same accelerations by hand: J M⁻¹ Jᵀ of all pairs of rods that share a bead, factored and solved by faer.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMat, Triplet};
use faer::{Conj, MatMut, Par, Side};

use crate::LENGTH;

/// Gravitational acceleration.
const G: f64 = 9.81;

/// Two rods of one bead; `sign` is +1 where both start or both end there, 2 for a rod and itself.
#[derive(Clone, Copy)]
struct Pair {
    rods: [usize; 2],
    /// Where it stands among the values of the matrix.
    place: usize,
    sign: f64,
}

/// Beads of mass 1 and rods between them.
pub struct Rods {
    beads: usize,
    ends: Vec<[usize; 2]>,
    pairs: Vec<Pair>,
    matrix: SparseColMat<u32, f64>,
    symbolic: SymbolicCholesky<u32>,
    factor: Vec<f64>,
    memory: MemBuffer,
    d: Vec<[f64; 2]>,
    right: Vec<f64>,
    x: Vec<f64>,
    a: Vec<f64>,
}

impl Rods {
    /// n × n beads; rods across, then down.
    pub fn net(n: usize) -> Rods {
        let across = (0..n).flat_map(|i| (1..n).map(move |j| [n * i + j - 1, n * i + j]));
        let down = (1..n).flat_map(|i| (0..n).map(move |j| [n * (i - 1) + j, n * i + j]));
        Rods::new(n * n, across.chain(down).collect())
    }

    /// Two rails of n beads, and rungs.
    pub fn ladder(n: usize) -> Rods {
        let rail = |from: usize| (1..n).map(move |i| [from + i - 1, from + i]);
        let rungs = (0..n).map(|i| [i, n + i]);
        Rods::new(2 * n, rail(0).chain(rail(n)).chain(rungs).collect())
    }

    pub fn rows(&self) -> usize {
        self.ends.len()
    }

    fn new(beads: usize, ends: Vec<[usize; 2]>) -> Rods {
        let mut at: Vec<Vec<usize>> = vec![Vec::new(); beads];
        let mut pairs = std::collections::BTreeMap::new();
        for (rod, &[a, b]) in ends.iter().enumerate() {
            for bead in [a, b] {
                at[bead].push(rod);
                for &other in &at[bead] {
                    let alike = ends[other][0] == a || ends[other][1] == b;
                    let sign = match other {
                        own if own == rod => 2.0,
                        _ if alike => 1.0,
                        _ => -1.0,
                    };
                    pairs.insert((other, rod), sign);
                }
            }
        }
        let rows = ends.len();
        let triplets: Vec<Triplet<u32, u32, f64>> = pairs
            .keys()
            .map(|&(i, j)| Triplet::new(i as u32, j as u32, 1.0))
            .collect();
        let matrix = SparseColMat::try_new_from_triplets(rows, rows, &triplets).expect("a matrix");
        let pairs = pairs.into_iter().map(|((i, j), sign)| {
            let column = matrix.col_range(j);
            let rows = &matrix.row_idx()[column.clone()];
            let place = rows.iter().position(|&row| row as usize == i);
            let place = column.start + place.expect("an entry");
            Pair {
                rods: [i, j],
                place,
                sign,
            }
        });
        let pairs = pairs.collect();
        let parameters = CholeskySymbolicParams::default();
        let symbolic = factorize_symbolic_cholesky(
            matrix.symbolic(),
            Side::Upper,
            SymmetricOrdering::Amd,
            parameters,
        )
        .expect("a pattern");
        let numeric = symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default());
        let solve = symbolic.solve_in_place_scratch::<f64>(1, Par::Seq);
        let memory = MemBuffer::new(StackReq::any_of(&[numeric, solve]));
        Rods {
            beads,
            pairs,
            factor: vec![0.0; symbolic.len_val()],
            symbolic,
            matrix,
            memory,
            d: vec![[0.0; 2]; rows],
            right: vec![0.0; rows],
            x: vec![0.0; rows],
            a: vec![0.0; 2 * beads],
            ends,
        }
    }

    /// Places and velocities near a grid.
    pub fn state(&self) -> [Vec<f64>; 2] {
        let width = self.ends.iter().map(|[a, b]| b - a).max().unwrap_or(1);
        let place = |k: usize| {
            let (bead, axis) = (k / 2, k % 2);
            let grid = if axis == 0 {
                bead % width
            } else {
                bead / width
            };
            LENGTH * (grid as f64 + 0.2 * (1.7 * k as f64).sin())
        };
        let n = 2 * self.beads;
        [
            (0..n).map(place).collect(),
            (0..n).map(|k| (0.9 * k as f64).cos()).collect(),
        ]
    }

    /// v̇
    pub fn acceleration(&mut self, q: &[f64], v: &[f64]) -> &[f64] {
        for (rod, &[a, b]) in self.ends.iter().enumerate() {
            self.d[rod] = [q[2 * b] - q[2 * a], q[2 * b + 1] - q[2 * a + 1]];
            let e = [v[2 * b] - v[2 * a], v[2 * b + 1] - v[2 * a + 1]];
            self.right[rod] = -dot(e, e);
        }
        let values = self.matrix.val_mut();
        for &Pair {
            rods: [i, j],
            place,
            sign,
        } in &self.pairs
        {
            values[place] = sign * dot(self.d[i], self.d[j]);
        }
        self.factor_and_solve();
        self.a
            .chunks_exact_mut(2)
            .for_each(|a| a.copy_from_slice(&[0.0, -G]));
        for (rod, &[from, to]) in self.ends.iter().enumerate() {
            for axis in 0..2 {
                let pull = self.x[rod] * self.d[rod][axis];
                self.a[2 * from + axis] -= pull;
                self.a[2 * to + axis] += pull;
            }
        }
        &self.a
    }

    /// The solution of the matrix as it stands.
    pub fn factor_and_solve(&mut self) {
        self.x.copy_from_slice(&self.right);
        let stack = MemStack::new(&mut self.memory);
        let llt = self
            .symbolic
            .factorize_numeric_llt(
                &mut self.factor,
                self.matrix.as_ref(),
                Side::Upper,
                LltRegularization::default(),
                Par::Seq,
                stack,
                Default::default(),
            )
            .expect("it is positive definite");
        let rows = self.ends.len();
        let x = MatMut::from_column_major_slice_mut(&mut self.x, rows, 1);
        llt.solve_in_place_with_conj(Conj::No, x, Par::Seq, MemStack::new(&mut self.memory));
    }
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}
