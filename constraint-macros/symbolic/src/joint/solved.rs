//! J W Jᵀ and the multipliers.
//!
//! W is diagonal in the bodies: 1/m times the unit matrix, and I⁻¹. So an entry of J W Jᵀ is, for each body,
//! w (jᵢ·jⱼ) + (I⁻¹ aᵢ)·aⱼ with j the columns of v and a those of ω.

use super::equations::Equations;
use crate::expr::{ExprId, Graph, Number};
use crate::solve::{self, Solution};

/// λ of so many rows has a closed form; beyond, a numeric elimination is as fast and much shorter.
pub const CLOSED_ROWS: usize = 3;

/// An expression that must be positive for J to exist, and the row that says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The row.
    pub row: usize,
    /// u of d/√u.
    pub positive: ExprId,
}

/// J W Jᵀ, and λ for four right-hand sides: closed forms, empty where there are too many rows.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The lower triangle of J W Jᵀ.
    pub delassus: Vec<Vec<ExprId>>,
    /// What was taken for granted: n·n = 1 of n = d/√u hides that there is no n where u = 0.
    pub conditions: Vec<Condition>,
    /// For a given right-hand side.
    pub solution: Solution,
    /// For −Ċ.
    pub impulses: Solution,
    /// For −β − J W f.
    pub multipliers: Solution,
    /// For −β.
    pub free_multipliers: Solution,
}

/// One row of J as one body sees it.
struct Block<'a> {
    /// The columns of v.
    linear: &'a [ExprId],
    /// The columns of ω.
    angular: &'a [ExprId],
    /// I⁻¹ times those of ω.
    turned: Vec<ExprId>,
}

/// The forms of one set of rows.
pub(super) fn forms(graph: &mut Graph, equations: &Equations) -> Vec<Solved> {
    let rows = blocks(graph, equations);
    let conditions = conditions(graph, &rows);
    let plain = delassus(graph, equations, &rows);
    let mut forms = vec![solve_all(graph, equations, &rows, plain, &conditions)];
    // Beside the diagonal I⁻¹ a is needed in any case.
    if rows.len() == 1 {
        let squares = vec![vec![quadratic(graph, equations, &rows[0])]];
        forms.push(solve_all(graph, equations, &rows, squares, &conditions));
    }
    forms
}

fn blocks<'a>(graph: &mut Graph, equations: &'a Equations) -> Vec<Vec<Block<'a>>> {
    let leaves = &equations.leaves;
    let per_body = leaves.velocities.len() / leaves.inverse_masses.len().max(1);
    let mut block = |(row, inertia): (&'a [ExprId], &Vec<Vec<ExprId>>)| {
        let (linear, angular) = row.split_at(per_body - inertia.len());
        let lines = inertia.iter().map(|line| graph.dot(line, angular));
        Block {
            linear,
            angular,
            turned: lines.collect(),
        }
    };
    let rows = equations.jacobian.iter();
    rows.map(|row| {
        let pairs = row.chunks(per_body).zip(&leaves.inverse_inertias);
        pairs.map(&mut block).collect()
    })
    .collect()
}

/// The lower triangle of J W Jᵀ.
fn delassus(graph: &mut Graph, equations: &Equations, rows: &[Vec<Block<'_>>]) -> Vec<Vec<ExprId>> {
    let masses = &equations.leaves.inverse_masses;
    let mut entry = |a: &[Block<'_>], b: &[Block<'_>]| {
        let mut terms = Vec::new();
        for (&mass, (a, b)) in masses.iter().zip(a.iter().zip(b)) {
            let along = inner(graph, a.linear, b.linear);
            terms.push((graph.mul(mass, along), Number::ONE));
            terms.push((graph.dot(&a.turned, b.angular), Number::ONE));
        }
        graph.sum(&terms)
    };
    let rows = rows.iter().enumerate();
    let lines = rows.clone().map(|(i, a)| {
        let columns = rows.clone().take(i + 1);
        columns.map(|(_, b)| entry(a, b)).collect()
    });
    lines.collect()
}

/// The single entry, with aᵀ I⁻¹ a as x (W₁₁ x + 2 (W₁₂ y + W₁₃ z)) + y (W₂₂ y + 2 W₂₃ z) + W₃₃ z².
fn quadratic(graph: &mut Graph, equations: &Equations, row: &[Block<'_>]) -> ExprId {
    let leaves = &equations.leaves;
    let bodies = leaves.inverse_masses.iter().zip(&leaves.inverse_inertias);
    let mut terms = Vec::new();
    for ((&mass, inertia), block) in bodies.zip(row) {
        let along = inner(graph, block.linear, block.linear);
        terms.push((graph.mul(mass, along), Number::ONE));
        for (i, &a) in block.angular.iter().enumerate() {
            let own = graph.mul(inertia[i][i], a);
            let others = graph.dot(&inertia[i][i + 1..], &block.angular[i + 1..]);
            let sum = graph.sum(&[(own, Number::ONE), (others, Number::integer(2))]);
            terms.push((graph.mul(a, sum), Number::ONE));
        }
    }
    graph.sum(&terms)
}

/// The unit vectors among the columns of v.
fn conditions(graph: &Graph, rows: &[Vec<Block<'_>>]) -> Vec<Condition> {
    let mut conditions = Vec::new();
    for (row, blocks) in rows.iter().enumerate() {
        for block in blocks {
            let Some(positive) = graph.unit_radicand(block.linear) else {
                continue;
            };
            let condition = Condition { row, positive };
            if !conditions.contains(&condition) {
                conditions.push(condition);
            }
        }
    }
    conditions
}

/// a·b, 1 for a unit vector with itself.
fn inner(graph: &mut Graph, a: &[ExprId], b: &[ExprId]) -> ExprId {
    match a == b && graph.unit_radicand(a).is_some() {
        true => graph.number(Number::ONE),
        false => graph.dot(a, b),
    }
}

/// λ of every right-hand side, where it has a closed form.
fn solve_all(
    graph: &mut Graph,
    equations: &Equations,
    rows: &[Vec<Block<'_>>],
    delassus: Vec<Vec<ExprId>>,
    conditions: &[Condition],
) -> Solved {
    let mut solved = Solved {
        delassus,
        conditions: conditions.to_vec(),
        solution: Solution::default(),
        impulses: Solution::default(),
        multipliers: Solution::default(),
        free_multipliers: Solution::default(),
    };
    if rows.len() > CLOSED_ROWS {
        return solved;
    }
    let of = |right: &[ExprId], graph: &mut Graph| solve::solve(graph, &solved.delassus, right);
    let stop: Vec<_> = equations.rate.iter().map(|&it| graph.neg(it)).collect();
    let hold: Vec<_> = equations.bias.iter().map(|&it| graph.neg(it)).collect();
    let pairs = hold.iter().zip(rows);
    let pushed: Vec<_> = pairs
        .map(|(&hold, row)| {
            let push = push(graph, equations, row);
            graph.sub(hold, push)
        })
        .collect();
    let given = of(&equations.leaves.right_hand_side, graph);
    let (stop, hold, pushed) = (of(&stop, graph), of(&hold, graph), of(&pushed, graph));
    solved.solution = given;
    solved.impulses = stop;
    solved.multipliers = pushed;
    solved.free_multipliers = hold;
    solved
}

/// J W f of one row.
fn push(graph: &mut Graph, equations: &Equations, row: &[Block<'_>]) -> ExprId {
    let leaves = &equations.leaves;
    let mut terms = Vec::new();
    let forces = leaves.forces.chunks(leaves.forces.len() / row.len());
    for ((&mass, block), forces) in leaves.inverse_masses.iter().zip(row).zip(forces) {
        let (force, torque) = forces.split_at(block.linear.len());
        let along = graph.dot(block.linear, force);
        terms.push((graph.mul(mass, along), Number::ONE));
        terms.push((graph.dot(&block.turned, torque), Number::ONE));
    }
    graph.sum(&terms)
}

impl Solved {
    /// J W Jᵀ in full, row by row.
    pub fn full_delassus(&self) -> Vec<ExprId> {
        let n = self.delassus.len();
        let entry = |i: usize, j: usize| self.delassus[i.max(j)][i.min(j)];
        let entries = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        entries.map(|(i, j)| entry(i, j)).collect()
    }
}
