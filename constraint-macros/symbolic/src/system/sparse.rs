//! Symmetric sparse matrices of expressions, eliminated as L D Lᵀ.

use std::collections::BTreeMap;

use crate::expr::{ExprId, Graph, Number};
use crate::solve::{elimination_order, minus_product};

/// A symmetric matrix: its entries that are not zero, in the lower triangle.
#[derive(Clone, Debug, Default)]
pub struct Sparse {
    /// Its size.
    pub n: usize,
    /// `(i, j)` with j ≤ i.
    pub entries: BTreeMap<(usize, usize), ExprId>,
}

impl Sparse {
    /// Adds to an entry.
    pub fn add(&mut self, graph: &mut Graph, i: usize, j: usize, value: ExprId) {
        if graph.is_zero(value) {
            return;
        }
        let key = (i.max(j), i.min(j));
        let sum = match self.entries.get(&key) {
            Some(&before) => graph.sum(&[(before, Number::ONE), (value, Number::ONE)]),
            None => value,
        };
        self.entries.insert(key, sum);
    }

    /// An entry; `None` for zero.
    pub fn get(&self, i: usize, j: usize) -> Option<ExprId> {
        self.entries.get(&(i.max(j), i.min(j))).copied()
    }

    /// Whether nothing stands off the diagonal.
    pub fn is_diagonal(&self) -> bool {
        self.entries.keys().all(|(i, j)| i == j)
    }
}

/// L and D of a matrix.
#[derive(Clone, Debug)]
pub struct Factors {
    /// In the order of elimination: the row, its pivot, and the entries of L below it.
    pub steps: Vec<Step>,
}

/// One row eliminated.
#[derive(Clone, Debug)]
pub struct Step {
    /// The row.
    pub row: usize,
    /// d
    pub pivot: ExprId,
    /// The entry on the diagonal before elimination.
    pub diagonal: ExprId,
    /// l of later rows.
    pub column: Vec<(usize, ExprId)>,
}

/// Eliminates a matrix whose diagonal is positive.
pub fn factor(graph: &mut Graph, matrix: &Sparse) -> Factors {
    let off_diagonal = matrix.entries.keys().filter(|(i, j)| i != j).copied();
    let order = elimination_order(matrix.n, off_diagonal);
    let mut position = vec![0; matrix.n];
    for (step, &row) in order.iter().enumerate() {
        position[row] = step;
    }
    let zero = graph.zero();
    let mut entries = matrix.entries.clone();
    let mut columns: Vec<std::collections::BTreeSet<usize>> = vec![Default::default(); matrix.n];
    for &(i, j) in matrix.entries.keys().filter(|(i, j)| i != j) {
        let (first, later) = if position[i] < position[j] {
            (i, j)
        } else {
            (j, i)
        };
        columns[first].insert(later);
    }
    let key = |i: usize, j: usize| (i.max(j), i.min(j));
    let mut steps = Vec::with_capacity(matrix.n);
    for &k in &order {
        let pivot = entries.get(&(k, k)).copied().unwrap_or(zero);
        let mut below: Vec<usize> = std::mem::take(&mut columns[k]).into_iter().collect();
        below.sort_by_key(|&i| position[i]);
        let mut column = Vec::with_capacity(below.len());
        for &i in &below {
            let l = graph.div(entries[&key(i, k)], pivot);
            column.push((i, l));
        }
        for (a, &(i, l)) in column.iter().enumerate() {
            for &(j, _) in &column[..=a] {
                let before = entries.get(&key(i, j)).copied().unwrap_or(zero);
                let updated = match i == j {
                    true => {
                        let taken = square_over(graph, entries[&key(i, k)], pivot);
                        graph.sum(&[(before, Number::ONE), (taken, Number::MINUS_ONE)])
                    }
                    false => minus_product(graph, before, l, entries[&key(j, k)]),
                };
                entries.insert(key(i, j), updated);
                if i != j {
                    columns[j].insert(i);
                }
            }
        }
        steps.push(Step {
            row: k,
            pivot,
            diagonal: matrix.get(k, k).unwrap_or(zero),
            column,
        });
    }
    Factors { steps }
}

/// a²/d: the square waits for nothing, so that the next pivot waits for one product less than by (a/d)·a.
pub fn square_over(graph: &mut Graph, entry: ExprId, pivot: ExprId) -> ExprId {
    let square = graph.powi(entry, 2);
    graph.div(square, pivot)
}

/// A solution, and the order in which its parts are best computed.
#[derive(Clone, Debug)]
pub struct Substituted {
    /// x, in the order of the rows.
    pub unknowns: Vec<ExprId>,
    /// The right-hand side after the substitution forwards, in the order of elimination.
    pub forward: Vec<ExprId>,
}

impl Substituted {
    /// Unknowns that are not solved for here.
    pub fn given(unknowns: &[ExprId]) -> Substituted {
        Substituted {
            unknowns: unknowns.to_vec(),
            forward: Vec::new(),
        }
    }
}

impl Factors {
    /// x of A x = b.
    pub fn solve(&self, graph: &mut Graph, right: &[ExprId]) -> Substituted {
        let mut x = right.to_vec();
        let mut forward = Vec::with_capacity(x.len());
        for step in &self.steps {
            let value = x[step.row];
            forward.push(value);
            if graph.is_zero(value) {
                continue;
            }
            for &(i, l) in &step.column {
                x[i] = minus_product(graph, x[i], l, value);
            }
        }
        for step in self.steps.iter().rev() {
            let mut value = graph.div(x[step.row], step.pivot);
            for &(i, l) in &step.column {
                value = minus_product(graph, value, l, x[i]);
            }
            x[step.row] = value;
        }
        Substituted {
            unknowns: x,
            forward,
        }
    }
}
