//! Bodies posed by generalized coordinates: v and ω are affine in the velocities.
//!
//! ```text
//! M = m VᵀV + WᵀI W,   h = −Vᵀ m a₀ − Wᵀ(I α₀ + ω×(I ω))        V, W: derivatives of v and ω by the velocities
//!                                                               a₀, α₀: their rates at v̇ = 0
//! ```
//! ω has components in the body's frame, where I is constant; v and a may be in any common frame.

use super::Derivation;
use crate::dynamics::frame::{self, Frame};
use crate::dynamics::inertia;
use crate::expr::{CollectVec, ExprId, Graph, Number, SortedMap};
use crate::model::{PosedBody, System};
use crate::solve::SparseRow;

impl Derivation {
    pub(super) fn posed_bodies(&mut self, system: &System) {
        for body in &system.posed {
            let moved = self.columns_of_rates(&body.velocity);
            self.moved(&moved, |i, j| (i == j).then_some(body.mass));
            for (row, &acceleration) in moved.iter().zip(&body.acceleration) {
                let inertial = self.graph.mul(body.mass, acceleration);
                self.resist(row, inertial);
            }
            let turned = self.columns_of_rates(&body.spin);
            let tensor = &body.tensor;
            self.moved(&turned, |i, j| Some(tensor[i][j]));
            for (row, torque) in turned.iter().zip(turning_momentum(&mut self.graph, body)) {
                self.resist(row, torque);
            }
        }
    }

    /// The columns of rates; bodies with coordinates of their own in their own frames.
    fn columns_of_rates(&mut self, rates: &[ExprId]) -> Vec<SparseRow> {
        let rows = rates.iter().map(|&rate| {
            let row = self.slopes(rate, |d| &d.velocities);
            frame::turned(&mut self.graph, &self.frames, &row, Frame::own)
        });
        rows.collect_vec()
    }

    /// Adds Σ Iₖₗ rₖᵀ rₗ to M.
    fn moved(&mut self, rows: &[SparseRow], inertia: impl Fn(usize, usize) -> Option<ExprId>) {
        let mut squares: SortedMap<usize, Vec<(ExprId, Number)>> = SortedMap::new();
        for (k, row) in rows.iter().enumerate() {
            for &(i, slope) in row {
                let square = self.graph.powi(slope, 2);
                squares.entry(i).or_default().push((square, Number::ONE));
            }
            for (l, other) in rows.iter().enumerate() {
                let Some(inertia) = inertia(k, l).filter(|&it| !self.graph.is_zero(it)) else {
                    continue;
                };
                for &(i, slope) in row {
                    let weighted = self.graph.mul(inertia, slope);
                    for &(j, other) in other.iter().filter(|(j, _)| *j <= i) {
                        let entry = self.graph.mul(weighted, other);
                        self.mass.add(&mut self.graph, i, j, entry);
                    }
                }
            }
        }
        for (i, squares) in squares {
            let sum = self.graph.sum(&squares);
            self.known_positive[i] |= self.graph.is_positive(sum);
        }
    }

    /// Adds −rᵀ x to h.
    fn resist(&mut self, row: &SparseRow, x: ExprId) {
        for &(i, slope) in row {
            let push = self.graph.mul(slope, x);
            self.push(i, push, Number::MINUS_ONE);
        }
    }
}

/// I α₀ + ω×(I ω)
fn turning_momentum(graph: &mut Graph, body: &PosedBody) -> Vec<ExprId> {
    let rows = body.tensor.iter();
    let onward: Vec<ExprId> = rows
        .map(|row| graph.dot(row, &body.spin_rate))
        .collect_vec();
    let &[x, y, z] = &body.spin[..] else {
        return onward;
    };
    let gyroscopic = inertia::own_gyroscopic_torque(graph, &body.tensor, [x, y, z]);
    let sums = onward.into_iter().zip(gyroscopic);
    sums.map(|(onward, torque)| graph.sub(onward, torque))
        .collect_vec()
}

/// 2 T, term by term.
pub(super) fn doubled_energy(graph: &mut Graph, body: &PosedBody) -> Vec<ExprId> {
    let speed = graph.dot(&body.velocity, &body.velocity);
    let mut terms = vec![graph.mul(body.mass, speed)];
    for (k, (&spin, row)) in body.spin.iter().zip(&body.tensor).enumerate() {
        let square = graph.powi(spin, 2);
        terms.push(graph.mul(row[k], square));
        for (&other, &moment) in body.spin.iter().zip(row).skip(k + 1) {
            let product = graph.mul(spin, other);
            let product = graph.mul(moment, product);
            terms.push(graph.scale(product, Number::integer(2)));
        }
    }
    terms
}
