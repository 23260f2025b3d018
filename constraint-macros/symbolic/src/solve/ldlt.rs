//! Sparse symbolic LDLᵀ: ordering, elimination and both substitutions, on expressions.

use std::collections::{BTreeMap, BTreeSet};

use crate::expr::{ExprId, Graph, Number};

/// A pivot of the elimination, and the matrix entry it came from.
#[derive(Clone, Copy, Debug)]
pub struct Pivot {
    /// The row of the constraint it belongs to.
    pub row: usize,
    /// d: what the elimination divides by.
    pub pivot: ExprId,
    /// The diagonal entry before elimination: the scale to judge d by.
    pub diagonal: ExprId,
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
    let off_diagonal = lower.iter().enumerate().flat_map(|(i, row)| {
        let below = row.iter().enumerate().take(i);
        below.map(move |(j, &entry)| (i, j, entry))
    });
    let off_diagonal = off_diagonal.filter(|&(.., entry)| !graph.is_zero(entry));
    let order = elimination_order(
        lower.len(),
        off_diagonal.map(|(i, j, _)| (i, j)).collect::<Vec<_>>(),
    );
    let mut matrix: BTreeMap<(usize, usize), ExprId> = BTreeMap::new();
    for (i, row) in lower.iter().enumerate() {
        for (j, &entry) in row.iter().enumerate().filter(|(_, e)| !graph.is_zero(**e)) {
            matrix.insert((i, j), entry);
            matrix.insert((j, i), entry);
        }
    }
    let mut unknowns = right.to_vec();
    let mut pivots: Vec<Pivot> = Vec::new();
    let mut columns: Vec<Vec<(usize, ExprId)>> = Vec::new();
    for (step, &k) in order.iter().enumerate() {
        let pivot = entry(graph, &matrix, k, k);
        pivots.push(Pivot {
            row: k,
            pivot,
            diagonal: lower[k][k],
        });
        let remaining = &order[step + 1..];
        let column: Vec<(usize, ExprId)> = remaining
            .iter()
            .filter_map(|&i| matrix.get(&(i, k)).map(|&a| (i, graph.div(a, pivot))))
            .collect();
        for &(i, l) in &column {
            for &(j, _) in column.iter().filter(|(j, _)| *j <= i) {
                let (a, b) = (entry(graph, &matrix, i, j), matrix[&(j, k)]);
                let updated = minus_product(graph, a, l, b);
                matrix.insert((i, j), updated);
                matrix.insert((j, i), updated);
            }
            unknowns[i] = minus_product(graph, unknowns[i], l, unknowns[k]);
        }
        columns.push(column);
    }
    for (step, &k) in order.iter().enumerate().rev() {
        let mut value = graph.div(unknowns[k], pivots[step].pivot);
        for &(i, l) in &columns[step] {
            value = minus_product(graph, value, l, unknowns[i]);
        }
        unknowns[k] = value;
    }
    Solution { unknowns, pivots }
}

fn entry(
    graph: &mut Graph,
    matrix: &BTreeMap<(usize, usize), ExprId>,
    i: usize,
    j: usize,
) -> ExprId {
    matrix.get(&(i, j)).copied().unwrap_or_else(|| graph.zero())
}

/// a − l·b
pub fn minus_product(graph: &mut Graph, a: ExprId, l: ExprId, b: ExprId) -> ExprId {
    let product = graph.mul(l, b);
    graph.sum(&[(a, Number::ONE), (product, Number::MINUS_ONE)])
}

/// Least degree first; among equals the one whose elimination subtree is lowest, so that independent
/// pivots overlap in the processor.
pub fn elimination_order(
    n: usize,
    off_diagonal: impl IntoIterator<Item = (usize, usize)>,
) -> Vec<usize> {
    let mut neighbours: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); n];
    for (i, j) in off_diagonal {
        neighbours[i].insert(j);
        neighbours[j].insert(i);
    }
    let mut height = vec![0usize; n];
    let rank = |neighbours: &[BTreeSet<usize>], height: &[usize], i: usize| {
        (neighbours[i].len(), height[i], i)
    };
    let mut left: BTreeSet<_> = (0..n).map(|i| rank(&neighbours, &height, i)).collect();
    let mut order = Vec::with_capacity(n);
    while let Some((.., k)) = left.pop_first() {
        order.push(k);
        let around = std::mem::take(&mut neighbours[k]);
        for &i in &around {
            left.remove(&rank(&neighbours, &height, i));
            neighbours[i].remove(&k);
            neighbours[i].extend(around.iter().copied().filter(|&j| j != i));
            height[i] = height[i].max(height[k] + 1);
        }
        left.extend(around.iter().map(|&i| rank(&neighbours, &height, i)));
    }
    order
}
