//! Symmetric sparse matrices of expressions, eliminated as L D Lᵀ, the last two rows at once.
//!
//! Zeros are known at expansion and cost no operations.

use std::collections::{BTreeMap, BTreeSet};

use super::ordering::elimination_order;
use super::row::indexed;
use crate::expr::{ExprId, Graph, Node, Number};
use crate::schedule::{self, Guard, Meaning};

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

    /// The terms of each entry of the product with a vector.
    pub fn products(&self, graph: &mut Graph, x: &[ExprId]) -> Vec<Vec<(ExprId, Number)>> {
        let mut terms = vec![Vec::new(); self.n];
        for (&(i, j), &entry) in &self.entries {
            terms[i].push((graph.mul(entry, x[j]), Number::ONE));
            if i != j {
                terms[j].push((graph.mul(entry, x[i]), Number::ONE));
            }
        }
        terms
    }

    /// True if all entries are on the diagonal.
    pub fn is_diagonal(&self) -> bool {
        self.entries.keys().all(|(i, j)| i == j)
    }
}

/// A pivot of the elimination, and the matrix entry it came from.
#[derive(Clone, Copy, Debug)]
pub struct Pivot {
    /// The matrix row that it belongs to.
    pub row: usize,
    /// d, the divisor of the elimination; for the last two rows the product of both pivots.
    pub pivot: ExprId,
    /// The diagonal entry before elimination, the scale for comparisons of d.
    pub diagonal: ExprId,
    /// The first of two pivots that are computed as their product.
    pub partner: Option<ExprId>,
}

impl Pivot {
    /// An entry of a diagonal matrix, which needs no elimination.
    pub fn diagonal(row: usize, entry: ExprId) -> Pivot {
        Pivot {
            row,
            pivot: entry,
            diagonal: entry,
            partner: None,
        }
    }

    /// Its name among those of a matrix of `rows` rows.
    pub fn name(&self, rows: usize) -> String {
        match self.partner {
            _ if rows == 1 => "delassus".to_owned(),
            None => indexed("pivot", self.row, rows),
            Some(_) => "determinant".to_owned(),
        }
    }

    /// Its guard. A pivot that no elimination has changed is checked by its sign alone, without its numeric factor.
    pub fn guard(&self, graph: &Graph) -> Guard<ExprId> {
        let (mut judged, mut diagonal) = (self.pivot, self.diagonal);
        if judged == diagonal {
            let (factor, rest) = graph.split_coefficient(judged);
            judged = if factor.is_negative() { judged } else { rest };
            diagonal = judged;
        }
        Guard {
            row: self.row,
            pivot: judged,
            diagonal,
            partner: self.partner,
        }
    }
}

/// The position of the numeric factor of a sum in products and quotients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coefficients {
    /// In front of every product and quotient: for formulas that people read.
    InFront,
    /// Inside the sum: for programs, which then multiply by it once.
    InPlace,
}

/// L and D of a matrix.
#[derive(Clone, Debug, Default)]
pub struct Factors {
    /// The rows in the order of elimination.
    steps: Vec<Step>,
    /// The last two rows, if they are eliminated at once.
    pair: Option<Pair>,
}

/// One row eliminated.
#[derive(Clone, Debug)]
struct Step {
    pivot: Pivot,
    /// Entries of L in later rows.
    column: Vec<(usize, ExprId)>,
    /// 1/d
    inverse: ExprId,
}

/// Two rows eliminated at once by Cramer's rule: one division instead of two that depend on each other.
///
/// ```text
/// one after the other        at once
/// ⎡ a   b ⎤ x = r            x = (c r − b s)/Δ           Δ = a c − b²
/// ⎣ b   c ⎦ y   s            y = (a s − b r)/Δ
///
/// 1/a → b/a → c − b²/a → 1/… → y → x       a c − b² → 1/Δ → x and y
/// ```
///
/// If a is a sum of products, a c − b² cancels products that b²/a would hide.
#[derive(Clone, Debug)]
struct Pair {
    /// The pivot of the first row; then the determinant of both remaining rows, the product of the two pivots.
    pivots: [Pivot; 2],
    /// The remaining diagonal entries, each as one factor.
    left: [ExprId; 2],
    /// The remaining entry between them.
    between: ExprId,
    /// 1/determinant
    inverse: ExprId,
}

/// Eliminates a matrix whose diagonal is positive.
pub fn factor(graph: &mut Graph, matrix: &Sparse, coefficients: Coefficients) -> Factors {
    let mut elimination = Elimination::new(graph, matrix, coefficients);
    let order = elimination.order.clone();
    let mut steps = Vec::with_capacity(matrix.n);
    for (done, &row) in order.iter().enumerate() {
        if let [first, last] = order[done..]
            && let Some(pair) = elimination.pair([first, last])
        {
            let pair = Some(pair);
            return Factors { steps, pair };
        }
        steps.push(elimination.step(row));
    }
    Factors { steps, pair: None }
}

/// A matrix during its elimination.
struct Elimination<'a> {
    graph: &'a mut Graph,
    matrix: &'a Sparse,
    coefficients: Coefficients,
    order: Vec<usize>,
    /// The position of each row in the order.
    position: Vec<usize>,
    /// The remaining entries.
    left: Sparse,
    /// For each row, the later rows that it is coupled with.
    later: Vec<BTreeSet<usize>>,
}

impl<'a> Elimination<'a> {
    fn new(graph: &'a mut Graph, matrix: &'a Sparse, coefficients: Coefficients) -> Self {
        let off_diagonal = || matrix.entries.keys().filter(|(i, j)| i != j).copied();
        let order = elimination_order(matrix.n, off_diagonal());
        let mut position = vec![0; matrix.n];
        for (step, &row) in order.iter().enumerate() {
            position[row] = step;
        }
        let mut later = vec![BTreeSet::new(); matrix.n];
        for (i, j) in off_diagonal() {
            let (first, last) = if position[i] < position[j] {
                (i, j)
            } else {
                (j, i)
            };
            later[first].insert(last);
        }
        Elimination {
            graph,
            matrix,
            coefficients,
            order,
            position,
            left: matrix.clone(),
            later,
        }
    }

    fn reciprocal(&mut self, pivot: ExprId) -> ExprId {
        let inverse = self.graph.recip(pivot);
        self.one_factor(pivot, inverse)
    }

    /// An expression derived from `sum`, kept as one factor if programs multiply by the number in front of `sum` once.
    fn one_factor(&mut self, sum: ExprId, derived: ExprId) -> ExprId {
        let (number, _) = self.graph.split_coefficient(sum);
        let kept = self.coefficients == Coefficients::InPlace && is_sum(self.graph, sum);
        if kept && !number.is_one() {
            self.graph.whole(derived)
        } else {
            derived
        }
    }

    fn entry(&mut self, i: usize, j: usize) -> ExprId {
        self.left.get(i, j).unwrap_or_else(|| self.graph.zero())
    }

    fn pivot(&mut self, row: usize, pivot: ExprId, partner: Option<ExprId>) -> Pivot {
        let diagonal = self.matrix.get(row, row);
        Pivot {
            row,
            pivot,
            diagonal: diagonal.unwrap_or_else(|| self.graph.zero()),
            partner,
        }
    }

    /// Eliminates one row.
    fn step(&mut self, row: usize) -> Step {
        let pivot = self.entry(row, row);
        let inverse = self.reciprocal(pivot);
        let mut below: Vec<usize> = std::mem::take(&mut self.later[row]).into_iter().collect();
        below.sort_by_key(|&i| self.position[i]);
        let entries: Vec<(usize, ExprId)> =
            below.iter().map(|&i| (i, self.entry(i, row))).collect();
        let quotient = |&(i, entry): &(usize, ExprId)| (i, self.graph.mul(entry, inverse));
        let column: Vec<(usize, ExprId)> = entries.iter().map(quotient).collect();
        if let [(i, entry)] = entries[..] {
            // The square does not depend on 1/d, so the only pivot that depends on this one needs one product less
            // after it; with several later rows, l·a saves one product each.
            let square = self.graph.powi(entry, 2);
            self.take(i, i, square, inverse);
        } else {
            for (a, &(i, l)) in column.iter().enumerate() {
                for &(j, entry) in &entries[..=a] {
                    self.take(i, j, l, entry);
                }
            }
        }
        Step {
            pivot: self.pivot(row, pivot, None),
            column,
            inverse,
        }
    }

    /// Subtracts a product from the remaining entry at (i, j).
    fn take(&mut self, i: usize, j: usize, l: ExprId, entry: ExprId) {
        let before = self.entry(i, j);
        let after = minus_product(self.graph, before, l, entry);
        self.left.entries.insert((i.max(j), i.min(j)), after);
        if i != j {
            self.later[j].insert(i);
        }
    }

    /// The last two rows at once, if they are coupled and the first pivot is a sum: then products cancel
    /// against those of the entry between them.
    fn pair(&mut self, rows: [usize; 2]) -> Option<Pair> {
        let between = self.left.get(rows[0], rows[1])?;
        let left = rows.map(|row| self.entry(row, row));
        if !is_sum(self.graph, left[0]) || self.graph.is_zero(between) {
            return None;
        }
        let pivot = left[0];
        let left = left.map(|entry| self.one_factor(entry, entry));
        let product = self.graph.mul(left[0], left[1]);
        let determinant = minus_product(self.graph, product, between, between);
        Some(Pair {
            pivots: [
                self.pivot(rows[0], pivot, None),
                self.pivot(rows[1], determinant, Some(pivot)),
            ],
            left,
            between,
            inverse: self.reciprocal(determinant),
        })
    }
}

impl Pair {
    fn solve(&self, graph: &mut Graph, right: [ExprId; 2]) -> [ExprId; 2] {
        [0, 1].map(|i| {
            let product = graph.mul(self.left[1 - i], right[i]);
            let numerator = minus_product(graph, product, self.between, right[1 - i]);
            graph.mul(numerator, self.inverse)
        })
    }
}

fn is_sum(graph: &Graph, id: ExprId) -> bool {
    let (_, rest) = graph.split_coefficient(id);
    matches!(graph.node(rest), Node::Sum { .. })
}

/// a − l·b
fn minus_product(graph: &mut Graph, a: ExprId, l: ExprId, b: ExprId) -> ExprId {
    let product = graph.mul(l, b);
    graph.sum(&[(a, Number::ONE), (product, Number::MINUS_ONE)])
}

/// A solution, with its forward substitution.
#[derive(Clone, Debug)]
pub struct Substituted {
    /// x, in the order of the rows.
    pub unknowns: Vec<ExprId>,
    /// The right-hand side after forward substitution, in the order of elimination.
    pub forward: Vec<ExprId>,
}

impl Substituted {
    /// Unknowns that are solved for elsewhere.
    pub fn given(unknowns: &[ExprId]) -> Substituted {
        Substituted {
            unknowns: unknowns.to_vec(),
            forward: Vec::new(),
        }
    }
}

impl Factors {
    /// In the order of elimination.
    pub fn pivots(&self) -> impl DoubleEndedIterator<Item = Pivot> + '_ {
        let pair = self.pair.iter().flat_map(|pair| pair.pivots);
        self.steps.iter().map(|step| step.pivot).chain(pair)
    }

    /// Meanings of the entries, pivots and factors.
    pub fn meanings(&self, matrix: schedule::Matrix) -> Vec<(ExprId, Meaning)> {
        let mut meanings = Vec::new();
        for step in &self.steps {
            let row = step.pivot.row;
            meanings.push((step.pivot.pivot, Meaning::Pivot(matrix, row)));
            let column = step.column.iter();
            meanings.extend(column.map(|&(i, l)| (l, Meaning::Lower(matrix, i, row))));
        }
        if let Some(pair) = &self.pair {
            let [first, last] = pair.pivots.map(|pivot| pivot.row);
            let between = Meaning::Left(matrix, first.max(last), first.min(last));
            meanings.extend([
                (pair.pivots[0].pivot, Meaning::Pivot(matrix, first)),
                (pair.pivots[1].pivot, Meaning::Determinant(matrix)),
                (pair.left[1], Meaning::Left(matrix, last, last)),
                (pair.between, between),
            ]);
        }
        meanings
    }

    /// Meanings of the right-hand side and of the forward substitution.
    pub fn meanings_of_sides(
        &self,
        matrix: schedule::Matrix,
        right: &[ExprId],
        forward: &[ExprId],
    ) -> Vec<(ExprId, Meaning)> {
        let right = right.iter().enumerate();
        let right = right.map(|(i, &right)| (right, Meaning::Right(matrix, i)));
        let left = self.pivots().zip(forward);
        let left = left.map(|(pivot, &left)| (left, Meaning::RightLeft(matrix, pivot.row)));
        right.chain(left).collect()
    }

    /// Number of rows that are eliminated one by one: all, or all but the last two.
    pub fn alone(&self) -> usize {
        self.steps.len()
    }

    /// x of A x = b.
    pub fn solve(&self, graph: &mut Graph, right: &[ExprId]) -> Substituted {
        let mut x = right.to_vec();
        for step in &self.steps {
            let value = x[step.pivot.row];
            if graph.is_zero(value) {
                continue;
            }
            for &(i, l) in &step.column {
                x[i] = minus_product(graph, x[i], l, value);
            }
        }
        let forward = self.pivots().map(|pivot| x[pivot.row]).collect();
        if let Some(pair) = &self.pair {
            let rows = pair.pivots.map(|pivot| pivot.row);
            let [first, last] = pair.solve(graph, rows.map(|row| x[row]));
            (x[rows[0]], x[rows[1]]) = (first, last);
        }
        for step in self.steps.iter().rev() {
            let Pivot { row, pivot, .. } = step.pivot;
            let mut value = if step.column.is_empty() {
                graph.div(x[row], pivot)
            } else {
                graph.mul(x[row], step.inverse)
            };
            for &(i, l) in &step.column {
                value = minus_product(graph, value, l, x[i]);
            }
            x[row] = value;
        }
        Substituted {
            unknowns: x,
            forward,
        }
    }
}

/// a²/d: the square does not depend on d, so the next pivot needs one product less after it than with (a/d)·a.
pub fn square_over(graph: &mut Graph, entry: ExprId, pivot: ExprId) -> ExprId {
    let square = graph.powi(entry, 2);
    graph.div(square, pivot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::SymbolId;
    use crate::schedule::{Root, schedule};

    /// A leaf for every entry; diagonal entries are sums, like those of squares in J M⁻¹ Jᵀ.
    fn matrix(graph: &mut Graph, n: usize, couplings: &[(usize, usize)]) -> Sparse {
        let mut matrix = Sparse {
            n,
            ..Sparse::default()
        };
        let diagonal = (0..n).map(|i| (i, i));
        for (leaf, (i, j)) in diagonal.chain(couplings.iter().copied()).enumerate() {
            let entry = graph.symbol(SymbolId::new(leaf));
            let three = graph.number(Number::integer(3));
            let entry = if i == j {
                graph.add(entry, three)
            } else {
                entry
            };
            matrix.entries.insert((i, j), entry);
        }
        matrix
    }

    /// Leaf k has the value sin(k + 1), so that diagonals dominate.
    fn values(graph: &Graph, outputs: &[ExprId]) -> Vec<f64> {
        let roots: Vec<Root> = outputs.iter().map(|&id| Root::Output(id)).collect();
        let program = schedule(graph, &roots, &[], &|symbol| format!("x{}", symbol.index()));
        program.evaluate(|symbol| (symbol.index() as f64 + 1.0).sin())
    }

    #[track_caller]
    fn solves(n: usize, couplings: &[(usize, usize)], at_once: bool) {
        let mut graph = Graph::new();
        let matrix = matrix(&mut graph, n, couplings);
        let right: Vec<ExprId> = (0..n)
            .map(|i| graph.number(Number::integer(i as i128 - 2)))
            .collect();
        let factors = factor(&mut graph, &matrix, Coefficients::InPlace);
        assert_eq!(factors.pair.is_some(), at_once);
        let solved = factors.solve(&mut graph, &right);
        let x = values(&graph, &solved.unknowns);
        for i in 0..n {
            let row: Vec<ExprId> = (0..n)
                .map(|j| matrix.get(i, j).unwrap_or_else(|| graph.zero()))
                .collect();
            let products = values(&graph, &row);
            let sum: f64 = products.iter().zip(&x).map(|(a, x)| a * x).sum();
            assert!((sum - (i as f64 - 2.0)).abs() < 1e-12, "row {i}: {sum}");
        }
    }

    #[test]
    fn chains_loops_and_stars_are_solved() {
        solves(1, &[], false);
        solves(2, &[(1, 0)], true);
        solves(5, &[(1, 0), (2, 1), (3, 2), (4, 3)], true);
        solves(4, &[(1, 0), (2, 1), (3, 2), (3, 0)], true);
        solves(6, &[(1, 0), (2, 0), (3, 1), (4, 0), (5, 2), (5, 4)], true);
        solves(4, &[(1, 0), (3, 2)], true);
        solves(3, &[], false);
    }

    /// m·x divided by m is x only if m really is the divisor.
    #[test]
    fn a_product_is_divided_by() {
        let mut graph = Graph::new();
        let [m, x] = [0, 1].map(|i| graph.symbol(SymbolId::new(i)));
        let product = graph.mul(m, x);
        let entries = [((0, 0), m), ((1, 0), product), ((1, 1), product)];
        let matrix = Sparse {
            n: 2,
            entries: entries.into(),
        };
        let factors = factor(&mut graph, &matrix, Coefficients::InPlace);
        assert_eq!(factors.steps[0].column, [(1, x)]);
    }
}
