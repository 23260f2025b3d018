//! The linear system of the multipliers, eliminated symbolically.
//!
//! (J W Jᵀ) λ = b, symmetric and positive definite where the rows are independent. One row is a division;
//! more are a sparse LDLᵀ whose zeros are known here and never touched, its last two rows eliminated at once.

mod ordering;
mod rank;
mod sparse;

pub use ordering::elimination_order;
pub use rank::{Numbers, dependence, dependence_of, dependent_row, sample};

pub use sparse::{Coefficients, Factors, Pivot, Sparse, Substituted, factor, square_over};

use crate::dynamics::{Equations, ScaledRow, number_in_front};
use crate::expr::{ExprId, Graph, Number};

/// λ and f̂ of one set of rows, with the pivots to be guarded.
#[derive(Clone, Debug)]
pub struct Multipliers {
    /// λ of the rows as written.
    pub multipliers: Vec<ExprId>,
    /// λ′ of the rows as solved.
    pub unknowns: Vec<ExprId>,
    /// f̂ = Jᵀ λ
    pub force: Vec<ExprId>,
    /// The pivots of the elimination.
    pub pivots: Vec<Pivot>,
}

/// J′W and the lower triangle of J′WJ′ᵀ for inverse masses on every coordinate.
pub struct Weighted {
    rows: Vec<Vec<ExprId>>,
    matrix: Vec<Vec<ExprId>>,
}

impl Weighted {
    /// Weighs the rows.
    pub fn new(graph: &mut Graph, equations: &Equations, rows: &[ScaledRow]) -> Weighted {
        let weights = &equations.leaves.inverse_masses;
        let weigh = |row: &ScaledRow| {
            let pairs = row.jacobian.iter().zip(weights);
            pairs.map(|(&j, &w)| graph.mul(j, w)).collect()
        };
        let weighted: Vec<Vec<ExprId>> = rows.iter().map(weigh).collect();
        Weighted {
            matrix: delassus(graph, &weighted, rows),
            rows: weighted,
        }
    }
}

/// λ and f̂ for inverse masses and external forces on every coordinate.
pub fn with_inverse_masses(
    graph: &mut Graph,
    equations: &Equations,
    weighted: &Weighted,
    rows: &[ScaledRow],
) -> Multipliers {
    let right: Vec<ExprId> = rows
        .iter()
        .zip(&weighted.rows)
        .map(|(row, weighted)| {
            let pushed = graph.dot(weighted, &equations.leaves.forces);
            graph.sum(&[(row.bias, Number::MINUS_ONE), (pushed, Number::MINUS_ONE)])
        })
        .collect();
    finish(graph, rows, &weighted.matrix, &right)
}

/// λ and f̂ for one particle of mass m: W = 1/m, so (J Jᵀ) λ = −m β − J f.
pub fn with_mass(graph: &mut Graph, equations: &Equations, rows: &[ScaledRow]) -> Multipliers {
    let plain: Vec<Vec<ExprId>> = rows.iter().map(|row| row.jacobian.clone()).collect();
    let matrix = delassus(graph, &plain, rows);
    let right: Vec<ExprId> = rows
        .iter()
        .map(|row| {
            let inertial = graph.mul(equations.leaves.mass, row.bias);
            let pushed = graph.dot(&row.jacobian, &equations.leaves.forces);
            graph.sum(&[(inertial, Number::MINUS_ONE), (pushed, Number::MINUS_ONE)])
        })
        .collect();
    finish(graph, rows, &matrix, &right)
}

/// λ of (J W Jᵀ) λ = b for a given b.
pub fn with_right_hand_side(
    graph: &mut Graph,
    equations: &Equations,
    weighted: &Weighted,
    rows: &[ScaledRow],
) -> Multipliers {
    let pairs = rows.iter().zip(&equations.leaves.right_hand_side);
    let right = pairs.map(|(row, &b)| {
        let scaled = graph.div(b, row.content);
        // λ is divided by c once more, and the square of c may be beyond the floats.
        match number_in_front(graph, row.content).is_extreme() {
            true => graph.whole(scaled),
            false => scaled,
        }
    });
    let right: Vec<ExprId> = right.collect();
    finish(graph, rows, &weighted.matrix, &right)
}

fn finish(
    graph: &mut Graph,
    rows: &[ScaledRow],
    matrix: &[Vec<ExprId>],
    right: &[ExprId],
) -> Multipliers {
    let Solution { unknowns, pivots } = solve(graph, matrix, right);
    let force = (0..rows.first().map_or(0, |row| row.jacobian.len()))
        .map(|k| {
            let column: Vec<ExprId> = rows.iter().map(|row| row.jacobian[k]).collect();
            graph.dot(&column, &unknowns)
        })
        .collect();
    let pairs = rows.iter().zip(&unknowns);
    let multipliers = pairs
        .map(|(row, &unknown)| graph.div(unknown, row.content))
        .collect();
    Multipliers {
        multipliers,
        unknowns,
        force,
        pivots,
    }
}

/// The unknowns of a solved system.
#[derive(Clone, Debug, Default)]
pub struct Solution {
    /// In the order of the rows.
    pub unknowns: Vec<ExprId>,
    /// In the order of elimination.
    pub pivots: Vec<Pivot>,
}

/// Solves A x = b for a symmetric positive definite A given by its lower triangle (`lower[i][j]`, j ≤ i).
pub fn solve(graph: &mut Graph, lower: &[Vec<ExprId>], right: &[ExprId]) -> Solution {
    let mut matrix = Sparse {
        n: lower.len(),
        ..Sparse::default()
    };
    for (i, row) in lower.iter().enumerate() {
        for (j, &entry) in row.iter().enumerate() {
            matrix.add(graph, i, j, entry);
        }
    }
    let factors = factor(graph, &matrix, Coefficients::InFront);
    Solution {
        unknowns: factors.solve(graph, right).unknowns,
        pivots: factors.pivots().collect(),
    }
}

/// The lower triangle of (J′W) J′ᵀ.
fn delassus(graph: &mut Graph, weighted: &[Vec<ExprId>], rows: &[ScaledRow]) -> Vec<Vec<ExprId>> {
    (0..rows.len())
        .map(|i| {
            (0..=i)
                .map(|j| graph.dot(&weighted[i], &rows[j].jacobian))
                .collect()
        })
        .collect()
}
