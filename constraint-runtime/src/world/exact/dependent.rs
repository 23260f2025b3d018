//! Rows that follow from others: the elimination sets them aside, and impulses are the least among all that do the same.
//!
//! ```text
//! Jᵀ z = 0                        impulses z that move no body: one for each row that is set aside, the columns of Z
//! λ ← λ − Z (Zᵀ D Z)⁻¹ Zᵀ D λ     the least Σ D λ², D the diagonal of J W Jᵀ
//! ```
//!
//! A pivot may also be small because masses differ by many orders. Therefore z is verified body by body: a row stays set aside if
//! the impulses cancel at each body; otherwise it keeps its small pivot.
//!
//! Where targets of bounded rows conflict, no λ reaches them. The bounded rows then push along z until they reach their bounds, as
//! springs in their place would, which are stiffer by 1/√ε than all else.

use alloc::{vec, vec::Vec};

use nalgebra::{SVector, SimdBool};

use super::{Exact, Part};
use crate::error::Singular;
use crate::linalg::ldlt::{factor_semidefinite, scale, substitute, substitute_transposed};
use crate::real::Real;
use crate::world::body::Massive;
use crate::world::family::Moving;

/// Attempts to find the rows that are set aside.
const MOST_ATTEMPTS: usize = 64;

/// The part of √ε up to which impulses cancel at a body.
const CANCELLED: f64 = 64.0;

/// Those of one part.
#[derive(Clone, Debug)]
pub(super) struct Dependent<T> {
    /// Rows that are set aside.
    pub(super) rows: Vec<usize>,
    /// Z, column by column, each with all rows of the part.
    columns: Vec<T>,
    /// Factors of Zᵀ D Z, and of the same for bounded rows alone.
    grams: [Gram<T>; 2],
    /// One number for each column.
    sums: Vec<T>,
}

/// L and D⁻¹ of a small matrix.
#[derive(Clone, Debug)]
struct Gram<T> {
    l: Vec<T>,
    d_inv: Vec<T>,
}

impl<T: Real> Dependent<T> {
    pub(super) fn none() -> Self {
        let gram = Gram {
            l: Vec::new(),
            d_inv: Vec::new(),
        };
        Self {
            rows: Vec::new(),
            columns: Vec::new(),
            grams: [gram.clone(), gram],
            sums: Vec::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The columns of Z.
    fn columns(&self) -> impl Iterator<Item = &[T]> {
        let rows = self.columns.len() / self.rows.len().max(1);
        self.columns.chunks_exact(rows.max(1))
    }
}

impl<T: Real> Gram<T> {
    /// Factors Zᵀ D Z; columns without any D have no part in a solution.
    fn factor(&mut self, count: usize, of: impl Fn(usize, usize) -> T) -> Result<(), Singular> {
        self.l.clear();
        self.l
            .extend((0..count * count).map(|k| of(k / count, k % count)));
        self.d_inv.clear();
        self.d_inv.resize(count, T::zero());
        // Where nothing is set aside in a lane, or no row is bounded, a one avoids an error.
        let diagonal = |k: usize| {
            let entry = self.l[k * count + k];
            entry.select(entry.simd_gt(T::zero()), T::one())
        };
        let scale: Vec<T> = (0..count).map(diagonal).collect();
        let least = vec![T::simd_default_epsilon().simd_sqrt(); count];
        factor_semidefinite(&mut self.l, &mut self.d_inv, &scale, &least, 0).map(drop)
    }

    fn solve(&self, b: &mut [T]) {
        substitute(&self.l, b);
        scale(b, &self.d_inv);
        substitute_transposed(&self.l, b);
    }
}

impl<T: Real, const D: usize> Exact<T, D> {
    /// True if rows follow from others.
    pub(in crate::world) fn depends(&self) -> bool {
        self.dependent.iter().any(|it| !it.is_empty())
    }

    /// The part of a row.
    pub(in crate::world) fn part_of_row(&self, row: usize) -> Option<usize> {
        (0..self.parts.len()).find(|&part| self.rows_of(part).any(|it| it == row))
    }

    /// Rows of a part in the order of its nodes; those of drives come last.
    pub(super) fn rows_of(&self, part: usize) -> impl Iterator<Item = usize> + Clone + '_ {
        let members = &self.members[self.parts[part].members.clone()];
        let nodes = members.iter().map(|&node| &self.nodes[node]);
        nodes.flat_map(|node| node.first..node.first + node.rows)
    }

    /// The rows of a part that are set aside, and the joints that share the impulses of each.
    pub(in crate::world) fn redundant(
        &self,
        part: usize,
    ) -> impl Iterator<Item = (usize, Vec<usize>)> + '_ {
        let own = &self.dependent[part];
        let members = &self.members[self.parts[part].members.clone()];
        own.rows
            .iter()
            .zip(own.columns())
            .map(move |(&row, column)| {
                let most = column
                    .iter()
                    .fold(T::zero(), |most, z| most.simd_max(z.simd_abs()));
                let least = most * T::simd_default_epsilon().simd_sqrt();
                let (mut rest, mut joints) = (column, Vec::new());
                for &node in members.iter().filter(|&&node| node < self.joints) {
                    let (z, others) = rest.split_at(self.nodes[node].rows);
                    if z.iter().any(|z| z.simd_abs().simd_gt(least).any()) {
                        joints.push(node);
                    }
                    rest = others;
                }
                (row, joints)
            })
    }

    /// Finds Z of the rows that have been set aside, and lets those keep their pivots that do not follow from others.
    #[cold]
    pub(super) fn set_aside<B: Massive<T, D>>(
        &mut self,
        part: usize,
        bodies: &[Moving<T, B, D>],
    ) -> Result<(), Singular> {
        let mut own = core::mem::replace(&mut self.dependent[part], Dependent::none());
        let found = self.find_aside(part, &mut own, bodies);
        self.dependent[part] = own;
        found
    }

    fn find_aside<B: Massive<T, D>>(
        &mut self,
        part: usize,
        own: &mut Dependent<T>,
        bodies: &[Moving<T, B, D>],
    ) -> Result<(), Singular> {
        let columns = self.parts[part].columns.clone();
        for _ in 0..MOST_ATTEMPTS {
            own.rows.clear();
            own.rows.extend(self.matrix.rows_aside(columns.clone()));
            own.columns.clear();
            let mut kept = false;
            for &row in &own.rows {
                self.complete(part, row);
                if !self.cancels(part, bodies) {
                    self.matrix.keep(row)?;
                    kept = true;
                }
                own.columns
                    .extend(self.rows_of(part).map(|row| self.column[row]));
            }
            if !kept {
                return self.factor_grams(part, own);
            }
            self.assemble_again(part, bodies);
            if !self.matrix.factor(columns.clone())? {
                own.rows.clear();
                return Ok(());
            }
        }
        let row = own.rows[0];
        Err(Singular { row, pivot: 0.0 })
    }

    /// Computes z of a row that has been set aside.
    fn complete(&mut self, part: usize, row: usize) {
        let mut column = core::mem::take(&mut self.column);
        self.rows_of(part).for_each(|row| column[row] = T::zero());
        column[row] = self.matrix.is_aside(row);
        let columns = self.parts[part].columns.clone();
        self.matrix.complete(columns, &mut column);
        self.column = column;
    }

    /// True if the impulses z cancel at each body.
    fn cancels<B: Massive<T, D>>(&mut self, part: usize, bodies: &[Moving<T, B, D>]) -> bool {
        let mut effects = core::mem::take(&mut self.effects);
        for &body in self.moved(part) {
            effects[body] = (SVector::zeros(), T::zero());
        }
        let energy = |body: usize, slope: &SVector<T, D>| {
            slope.dot(&B::accelerated(&bodies[body].inverse_mass, slope))
        };
        for &node in &self.members[self.parts[part].members.clone()] {
            let node = &self.nodes[node];
            let own = &self.bodies[node.bodies.0..node.bodies.1];
            let blocks = self.jacobian[node.jacobian.0..].chunks_exact(node.rows);
            for (block, &body) in blocks.zip(own) {
                for (slope, &z) in block.iter().zip(&self.column[node.first..]) {
                    let (sum, size) = &mut effects[body];
                    *sum += slope * z;
                    *size += energy(body, slope).simd_sqrt() * z.simd_abs();
                }
            }
        }
        let most = T::simd_default_epsilon() * T::lit(CANCELLED * CANCELLED);
        let all = self.moved(part).iter().all(|&body| {
            let (sum, size) = &effects[body];
            energy(body, sum).simd_le(*size * *size * most).all()
        });
        self.effects = effects;
        all
    }

    /// Assembles J W Jᵀ of a part from the rows that have been evaluated, after its factors have overwritten it.
    fn assemble_again<B: Massive<T, D>>(&mut self, part: usize, bodies: &[Moving<T, B, D>]) {
        let Part {
            members, columns, ..
        } = &self.parts[part];
        self.matrix.clear(columns.clone());
        for &index in &self.members[members.clone()] {
            let node = &self.nodes[index];
            let own = &self.bodies[node.bodies.0..node.bodies.1];
            for row in 0..node.rows {
                // With what softness has added.
                let diagonal = self.matrix.diagonal(node.first + row);
                let block = self.matrix.diagonal_mut(index, node.rows);
                block[row * node.rows + row] = diagonal;
                for column in 0..row {
                    let slope = |slot: usize, k: usize| {
                        &self.jacobian[node.jacobian.0 + slot * node.rows + k]
                    };
                    let products = own.iter().enumerate().map(|(slot, &body)| {
                        let w = &bodies[body].inverse_mass;
                        slope(slot, row).dot(&B::accelerated(w, slope(slot, column)))
                    });
                    block[row * node.rows + column] = products.fold(T::zero(), |sum, it| sum + it);
                }
            }
        }
        self.couple(part, bodies);
    }

    fn factor_grams(&mut self, part: usize, own: &mut Dependent<T>) -> Result<(), Singular> {
        let count = own.rows.len();
        own.sums.clear();
        own.sums.resize(count, T::zero());
        let mut grams = core::mem::replace(&mut own.grams, Dependent::none().grams);
        for (gram, first) in grams.iter_mut().zip([0, self.rows]) {
            let product = |i: usize, k: usize| {
                let [left, right] = [i, k].map(|it| own.columns().nth(it).unwrap_or_default());
                let pairs = self.rows_of(part).zip(left.iter().zip(right));
                let pairs = pairs.filter(|(row, _)| *row >= first);
                pairs.fold(T::zero(), |sum, (row, (&a, &b))| {
                    sum + a * b * self.matrix.diagonal(row)
                })
            };
            gram.factor(count, product)?;
        }
        own.grams = grams;
        Ok(())
    }

    /// Solves for the least λ of a part with rows that are set aside.
    #[cold]
    pub(super) fn solve_dependent(&mut self, part: usize) {
        let mut own = core::mem::replace(&mut self.dependent[part], Dependent::none());
        let conflicts = self.find_conflicts(part, &mut own);
        let pushes = conflicts.then(|| own.sums.clone());
        let columns = self.parts[part].columns.clone();
        self.matrix.solve(columns, &mut self.right);
        self.lessen(part, &mut own);
        if let Some(pushes) = pushes {
            self.add_columns(part, &own, &pushes);
        }
        self.dependent[part] = own;
    }

    /// Makes the λ of a part the least that do the same.
    pub(super) fn lessen_part(&mut self, part: usize) {
        let mut own = core::mem::replace(&mut self.dependent[part], Dependent::none());
        if !own.is_empty() {
            self.lessen(part, &mut own);
        }
        self.dependent[part] = own;
    }

    fn lessen(&mut self, part: usize, own: &mut Dependent<T>) {
        let mut sums = core::mem::take(&mut own.sums);
        for (sum, column) in sums.iter_mut().zip(own.columns()) {
            let pairs = self.rows_of(part).zip(column);
            *sum = pairs.fold(T::zero(), |sum, (row, &z)| {
                sum - z * self.matrix.diagonal(row) * self.right[row]
            });
        }
        own.grams[0].solve(&mut sums);
        self.add_columns(part, own, &sums);
        own.sums = sums;
    }

    /// λ += Z x
    fn add_columns(&mut self, part: usize, own: &Dependent<T>, x: &[T]) {
        let mut right = core::mem::take(&mut self.right);
        for (column, &x) in own.columns().zip(x) {
            for (row, &z) in self.rows_of(part).zip(column) {
                right[row] += z * x;
            }
        }
        self.right = right;
    }

    /// Finds targets that no λ reaches, and how bounded rows push along Z because of them; false if there are none.
    fn find_conflicts(&self, part: usize, own: &mut Dependent<T>) -> bool {
        if !self.rows_of(part).any(|row| row >= self.rows) {
            return false;
        }
        let root = T::simd_default_epsilon().simd_sqrt();
        let mut any = false;
        let mut sums = core::mem::take(&mut own.sums);
        for (sum, column) in sums.iter_mut().zip(own.columns()) {
            let pairs = self.rows_of(part).zip(column);
            let (conflict, size) = pairs.fold((T::zero(), T::zero()), |(sum, size), (row, &z)| {
                let term = z * self.right[row];
                (sum + term, size + term.simd_abs())
            });
            let is_one = conflict.simd_abs().simd_gt(size * root * T::lit(CANCELLED));
            *sum = (conflict / root).select(is_one, T::zero());
            any |= is_one.any();
        }
        own.grams[1].solve(&mut sums);
        own.sums = sums;
        any
    }
}
