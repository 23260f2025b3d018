//! ∂v̇/∂(q, v, u, p) and the same of λ, entry by entry.

use super::motion::{Sensitivity, Solved, cheapest, with_shares};
use super::residual::substituted;
use super::variables::Variables;
use crate::expr::{CollectVec, ExprId, Graph, Map, Node, Number, PushEach};
use crate::solve::{Computed, Form, Quantity};

/// Matrices of more entries are not written out: their columns are tangents' derivatives, one by one.
const MOST_ENTRIES: usize = 4096;

/// Slopes, row by row, one for each variable but time.
pub type Matrix = Vec<Vec<ExprId>>;

impl Variables {
    /// Columns (q, v), u and p of some rows: three matrices, each row by row.
    pub fn blocks(&self, rows: &[Vec<ExprId>]) -> Vec<ExprId> {
        let (states, held) = (2 * self.n, 2 * self.n + self.inputs);
        let columns = [0..states, states..held, held..self.columns().len()];
        let blocks = columns.map(|columns| {
            let rows = rows.iter();
            rows.flat_map(move |row| row[columns.clone()].iter().copied())
        });
        blocks.into_iter().flatten().collect_vec()
    }

    /// Whether as many rows are few enough to be written out.
    pub fn are_few(&self, rows: usize) -> bool {
        rows * self.columns().len() <= MOST_ENTRIES
    }
}

impl Sensitivity<'_> {
    /// ∂v̇/∂(q, v, u, p), and beside it ∂λ/∂(q, v, u, p), as far as they are few enough.
    pub fn linearizations(&self, graph: &Graph, solved: &Solved<'_>, slopes: &[Matrix]) -> Form {
        let (n, m) = (self.variables.n, self.residual.rows.len());
        let asked = [
            (Quantity::Linearization, n),
            (Quantity::LinearizationAndMultipliers, n + m),
        ];
        let asked = asked.into_iter().filter(|&(quantity, rows)| {
            let asked = m > 0 || quantity == Quantity::Linearization;
            asked && self.variables.are_few(rows)
        });
        let computed = |(quantity, rows)| {
            let ways = slopes.iter().map(|slopes| {
                let (motion, multipliers) = slopes[..rows].split_at(n);
                let mut ordered = self.variables.blocks(motion);
                ordered.push_each(self.variables.blocks(multipliers));
                ordered
            });
            let found = cheapest(graph, solved, ways);
            (quantity, Computed::of(found, solved.found))
        };
        asked.map(computed).collect()
    }

    /// Slopes of v̇, and of λ where they are few enough, in each way of computing them: by columns, a solution for each
    /// variable; by rows, one for each v̇ and λ; or as the slopes of a quotient. None where even those of v̇ are many.
    pub fn matrices(&self, graph: &mut Graph, solved: &Solved<'_>) -> Vec<Matrix> {
        let (n, m) = (self.variables.n, self.residual.rows.len());
        let Some(rows) = [n + m, n]
            .into_iter()
            .find(|&it| self.variables.are_few(it))
        else {
            return Vec::new();
        };
        let mut ways = Vec::new();
        for way in self.ways() {
            ways.push(way.by_columns(graph, rows));
            // The shares of rows vary with the matrix, which has more entries than there are columns.
            if self.shares.is_none() {
                ways.push(way.by_rows(graph, rows));
            }
        }
        let substitute = |way: Matrix| -> Matrix {
            let columns = self.variables.columns().len();
            let entries = self.substituted(graph, &way.concat());
            entries
                .chunks(columns.max(1))
                .map(<[ExprId]>::to_vec)
                .collect_vec()
        };
        let mut ways: Vec<Matrix> = ways.into_iter().map(substitute).collect_vec();
        let quotient = self.of_quotient(graph, solved);
        // The first of its columns is time's.
        ways.push_each(
            quotient.map(|slopes| slopes.iter().map(|row| row[1..].to_vec()).collect_vec()),
        );
        ways
    }

    fn by_columns(&self, graph: &mut Graph, rows: usize) -> Matrix {
        let columns = self.variables.columns();
        let motion = self.slopes(graph, columns, self.residual.motion.iter().copied());
        let constrained = self.slopes(graph, columns, self.residual.rows.iter().copied());
        let own = self.slopes(graph, columns, self.residual.reported().take(rows));
        let shares = self.shares.filter(|_| rows > self.variables.n);
        let shared = shares.map(|it| self.slopes(graph, columns, it.equations.iter().copied()));
        let mut slopes = vec![Vec::with_capacity(columns.len()); rows];
        for k in 0..columns.len() {
            let minus = |graph: &mut Graph, of: &[Vec<ExprId>]| -> Vec<ExprId> {
                of.iter().map(|row| graph.neg(row[k])).collect_vec()
            };
            let mut sides = [minus(graph, &motion), minus(graph, &constrained)];
            if self.variation.gathers {
                let known = self.reported_products(graph);
                sides = sides.map(|side| substituted(graph, &side, known.clone()));
            }
            let [first, second] = sides;
            let found = self.variation.forwards(graph, &first, &second);
            let mut reported = self
                .residual
                .reported_accelerations(graph, &found.acceleration);
            if rows > self.variables.n {
                let moved = shares.zip(shared.as_ref()).map(|(shares, rates)| {
                    let rates: Vec<ExprId> = rates.iter().map(|row| row[k]).collect_vec();
                    shares.moved(graph, &rates)
                });
                let multipliers = with_shares(graph, found.multipliers, moved);
                reported.push_each(self.residual.reported_multipliers(graph, &multipliers));
            }
            for ((row, moved), own) in slopes.iter_mut().zip(reported).zip(&own) {
                row.push(graph.add(moved, own[k]));
            }
        }
        slopes
    }

    /// The values of v̇ and λ that are products or leaves, which rows may contain as well.
    fn reported_products(&self, graph: &Graph) -> Map<ExprId, ExprId> {
        let known = self.known.iter();
        let known = known.map(|(&leaf, &value)| match *graph.node(value) {
            Node::Whole(inner) if graph.terms(inner).len() == 1 => (leaf, inner),
            _ => (leaf, value),
        });
        known.collect()
    }

    fn by_rows(&self, graph: &mut Graph, rows: usize) -> Matrix {
        let columns = self.variables.columns();
        let (zero, one) = (graph.zero(), graph.number(Number::ONE));
        let equations = self.residual.motion.iter().chain(&self.residual.rows);
        let slopes = self.slopes(graph, columns, equations.copied());
        let own = self.slopes(graph, columns, self.residual.reported().take(rows));
        let (n, m) = (self.variables.n, self.residual.rows.len());
        let row = |(i, own): (usize, &Vec<ExprId>)| {
            let mut unit = vec![zero; n + m];
            unit[i] = one;
            let (motion, multipliers) = unit.split_at(n);
            let motion = self.residual.counted_accelerations(graph, motion);
            let multipliers = self.residual.reported_multipliers(graph, multipliers);
            let found = self.variation.backwards(graph, &motion, &multipliers);
            let found: Vec<ExprId> = found.all().collect_vec();
            let slope = |k: usize| {
                let pairs = found.iter().zip(&slopes);
                let terms = pairs.map(|(&x, slopes)| (graph.mul(x, slopes[k]), Number::MINUS_ONE));
                let mut terms: Vec<_> = terms.collect_vec();
                terms.push((own[k], Number::ONE));
                graph.sum(&terms)
            };
            (0..columns.len()).map(slope).collect_vec()
        };
        own.iter().enumerate().map(row).collect_vec()
    }
}
