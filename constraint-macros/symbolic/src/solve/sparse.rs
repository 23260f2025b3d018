//! Symmetric sparse matrices of expressions, eliminated as L D Lᵀ, the last two rows at once.
//!
//! Zeros are known at expansion and cost no operations.

use super::ordering::{columns, least_degree_order, neighbours};
use super::row::indexed;
use super::step::{Entries, Step, is_sum};
use crate::expr::{CollectVec, ExprId, Graph, Number, PushEach, SortedMap};
use crate::schedule::{self, Guard, Meaning};

/// A symmetric matrix: its entries that are not zero, in the lower triangle.
#[derive(Clone, Debug, Default)]
pub struct Sparse {
    /// Its size.
    pub n: usize,
    /// `(i, j)` with j ≤ i.
    pub entries: SortedMap<(usize, usize), ExprId>,
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

/// A matrix eliminated: its steps, in their order.
#[derive(Clone, Debug, Default)]
pub struct Factors {
    steps: Vec<Rows>,
}

/// The rows that one step eliminates: one, or the last two at once.
///
/// ```text
/// one after the other        at once
/// ⎡ a   b ⎤ x = r            x = (c r − b s)/Δ           Δ = a c − b²
/// ⎣ b   c ⎦ y   s            y = (a s − b r)/Δ
///
/// 1/a → b/a → c − b²/a → 1/… → y → x       a c − b² → 1/Δ → x and y
/// ```
///
/// At once there is one division instead of two that depend on each other. If a is a sum of products, a c − b² cancels
/// products that b²/a would hide.
#[derive(Clone, Debug)]
struct Rows {
    pivots: Vec<Pivot>,
    /// What is left of their own entries.
    left: Entries,
    /// The later rows that they are coupled with.
    later: Vec<usize>,
    step: Step,
}

/// Eliminates a matrix whose diagonal is positive.
pub fn factor(graph: &mut Graph, matrix: &Sparse) -> Factors {
    let off_diagonal = matrix.entries.keys().filter(|(i, j)| i != j).copied();
    let neighbours = neighbours(matrix.n, off_diagonal);
    let order = least_degree_order(&neighbours);
    let columns = columns(&neighbours, &order);
    let mut elimination = Elimination {
        graph,
        matrix,
        left: matrix.clone(),
    };
    let mut steps = Vec::with_capacity(matrix.n);
    for (done, column) in columns.iter().enumerate() {
        let rest = &order[done..];
        if rest.len() == 2 && elimination.are_paired(rest) {
            steps.push(elimination.step(rest, Vec::new()));
            break;
        }
        let later = column.iter().map(|&step| order[step]).collect_vec();
        steps.push(elimination.step(&rest[..1], later));
    }
    Factors { steps }
}

/// A matrix during its elimination.
struct Elimination<'a> {
    graph: &'a mut Graph,
    matrix: &'a Sparse,
    /// The remaining entries.
    left: Sparse,
}

impl Elimination<'_> {
    fn entry(&mut self, i: usize, j: usize) -> ExprId {
        self.left.get(i, j).unwrap_or_else(|| self.graph.zero())
    }

    /// Eliminates rows.
    fn step(&mut self, rows: &[usize], later: Vec<usize>) -> Rows {
        let own = rows.iter().enumerate();
        let left: Entries = own
            .map(|(a, &i)| rows[..=a].iter().map(|&j| self.entry(i, j)).collect_vec())
            .collect_vec();
        let below = later.iter();
        let below: Entries = below
            .map(|&i| rows.iter().map(|&j| self.entry(i, j)).collect_vec())
            .collect_vec();
        let step = Step::of(self.graph, &left, below, false);
        for (a, &i) in later.iter().enumerate() {
            for (b, &j) in later[..=a].iter().enumerate() {
                let taken = step.taken(self.graph, a, b);
                let before = self.entry(i, j);
                let after = self.graph.sub(before, taken);
                self.left.entries.insert((i.max(j), i.min(j)), after);
            }
        }
        Rows {
            pivots: self.pivots(rows, &step.inverse.minors),
            left,
            later,
            step,
        }
    }

    /// The second of two pivots is their product.
    fn pivots(&mut self, rows: &[usize], minors: &[ExprId]) -> Vec<Pivot> {
        let before = [None].into_iter().chain(minors.iter().copied().map(Some));
        let pivots = rows.iter().zip(minors).zip(before);
        let pivots = pivots.map(|((&row, &pivot), partner)| Pivot {
            row,
            pivot,
            diagonal: self
                .matrix
                .get(row, row)
                .unwrap_or_else(|| self.graph.zero()),
            partner,
        });
        pivots.collect_vec()
    }

    /// True of two rows that are coupled, if the first pivot is a sum: then products cancel against those of the entry
    /// between them.
    fn are_paired(&mut self, rows: &[usize]) -> bool {
        let between = self.entry(rows[1], rows[0]);
        let first = self.entry(rows[0], rows[0]);
        is_sum(self.graph, first) && !self.graph.is_zero(between)
    }
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
        self.steps
            .iter()
            .flat_map(|rows| rows.pivots.iter().copied())
    }

    /// Meanings of the entries, pivots and factors.
    pub fn meanings(&self, matrix: schedule::Matrix) -> Vec<(ExprId, Meaning)> {
        let mut meanings = Vec::new();
        for rows in &self.steps {
            match rows.pivots[..] {
                [Pivot { row, pivot, .. }] => {
                    meanings.push((pivot, Meaning::Pivot(matrix, row)));
                    let lower = rows.later.iter().zip(&rows.step.lower);
                    meanings.push_each(lower.map(|(&i, l)| (l[0], Meaning::Lower(matrix, i, row))));
                }
                [first, last] => {
                    let (a, b) = (first.row, last.row);
                    let diagonal = rows.step.inverse.entries()[0][0];
                    meanings.push_each([
                        (first.pivot, Meaning::Pivot(matrix, a)),
                        (last.pivot, Meaning::Determinant(matrix)),
                        (diagonal, Meaning::Left(matrix, b, b)),
                        (rows.left[1][0], Meaning::Left(matrix, a.max(b), a.min(b))),
                    ]);
                }
                _ => {}
            }
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
        right.chain(left).collect_vec()
    }

    /// Number of rows that are eliminated one by one: all, or all but the last two.
    pub fn alone(&self) -> usize {
        let alone = self.steps.iter();
        alone.take_while(|rows| rows.pivots.len() == 1).count()
    }

    /// x of A x = b.
    pub fn solve(&self, graph: &mut Graph, right: &[ExprId]) -> Substituted {
        let mut x = right.to_vec();
        for rows in &self.steps {
            let own = rows.of(&x);
            if own.iter().all(|&value| graph.is_zero(value)) {
                continue;
            }
            for (k, &i) in rows.later.iter().enumerate() {
                let taken = rows.step.taken_off_side(graph, k, &own);
                x[i] = graph.sub(x[i], taken);
            }
        }
        let forward = self.pivots().map(|pivot| x[pivot.row]).collect_vec();
        for rows in self.steps.iter().rev() {
            let solved = rows.step.inverse.times(graph, &rows.of(&x));
            for (a, mut value) in solved.into_iter().enumerate() {
                for (&i, l) in rows.later.iter().zip(&rows.step.lower) {
                    let product = graph.mul(l[a], x[i]);
                    value = graph.sub(value, product);
                }
                x[rows.pivots[a].row] = value;
            }
        }
        Substituted {
            unknowns: x,
            forward,
        }
    }
}

impl Rows {
    /// Their elements of a vector.
    fn of(&self, x: &[ExprId]) -> Vec<ExprId> {
        self.pivots.iter().map(|pivot| x[pivot.row]).collect_vec()
    }
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
        let factors = factor(&mut graph, &matrix);
        assert_eq!(factors.alone() < n, at_once);
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
        let factors = factor(&mut graph, &matrix);
        assert_eq!(factors.steps[0].step.lower, [[x]]);
    }
}
