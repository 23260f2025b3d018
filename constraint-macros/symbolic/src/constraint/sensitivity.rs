//! Derivatives of f̂ and λ of a constraint on points by all their arguments. The equation is differentiated, not its
//! solution.
//!
//! ```text
//! G = J′ W (f + f̂) + β′ = 0        f̂ = J′ᵀ μ,  λ = μ/c: rows without their common factors c
//! forward     (J′ W J′ᵀ) δμ = −δG           δG and the other variations of f̂ and λ: with constant μ
//! reverse     (J′ W J′ᵀ) y = J′ f̂* + λ*/c    ∂(f̂*·f̂ + λ*·λ − y·G)
//! ```
//! Both reuse the elimination of J′ W J′ᵀ.
//!
//! Invariant: μ is a leaf in G, f̂ and λ until they are differentiated.

use super::leaves::Leaves;
use crate::diff::{Taylor, gradient};
use crate::expr::{CollectVec, ExprId, Graph, Map, Number, PushEach};
use crate::model::{Model, Role};
use crate::schedule::Root;
use crate::solve::{Computed, Form, Multipliers, Quantity, ScaledRow, Schur, cheapest_after};

/// Above this number of entries, matrices are not written out: callers compute columns as derivatives along tangents.
const MOST_ENTRIES: usize = 4096;

/// The variables of f̂ and λ, and the vectors that the caller supplies, as leaves.
pub struct Varied {
    /// t, q, v, w, f and p; zero for a variable that nothing depends on.
    variables: Vec<ExprId>,
    /// The length of each of q, v, w and f.
    n: usize,
    /// δ of each variable.
    tangent: Vec<ExprId>,
    /// f̂*
    force: Vec<ExprId>,
    /// λ*
    multipliers: Vec<ExprId>,
    /// μ
    unknowns: Vec<ExprId>,
    /// y
    adjoints: Vec<ExprId>,
}

impl Varied {
    /// The leaves for a constraint on points.
    pub fn new(model: &mut Model, leaves: &Leaves) -> Varied {
        let (n, m) = (leaves.coordinates.len(), model.rows.len());
        let mut roles = vec![Role::Time];
        roles.push_each((0..n).map(Role::Coordinate));
        roles.push_each((0..n).map(Role::Velocity));
        roles.push_each((0..n).map(Role::InverseMass));
        roles.push_each((0..n).map(Role::Force));
        let mut variables: Vec<ExprId> = roles.into_iter().map(|it| model.leaf(it)).collect_vec();
        variables.push_each(model.varied_leaves());
        let mut unknown = |_| model.add_leaf(Role::Scratch, "unknown".to_owned());
        let [unknowns, adjoints] = [0, 1].map(|_| (0..m).map(&mut unknown).collect_vec());
        Varied {
            n,
            tangent: model.add_leaves(variables.len(), Role::Tangent, "tangent"),
            force: model.add_leaves(n, Role::ForceAdjoint, "force_bar"),
            multipliers: model.add_leaves(m, Role::MultiplierAdjoint, "lambda_bar"),
            variables,
            unknowns,
            adjoints,
        }
    }
}

/// Derivatives along a tangent, gradients, and all derivatives if they are few.
pub fn derivatives(
    graph: &mut Graph,
    varied: &Varied,
    leaves: &Leaves,
    schur: &Schur,
    found: &Multipliers,
) -> Form {
    let solved = found.unknowns.iter().zip(&varied.unknowns);
    let known = solved.map(|(&value, &leaf)| (leaf, graph.whole(value)));
    let sensitivity = Sensitivity {
        known: known.collect(),
        residual: Residual::new(graph, varied, leaves, schur),
        varied,
        schur,
    };
    let computed = |outputs| Computed::of(outputs, found).in_any_order();
    let along = sensitivity.along(graph);
    let back = sensitivity.back(graph);
    let mut form = Form::from([
        (Quantity::ForceTangent, computed(along)),
        (Quantity::ForceGradient, computed(back)),
    ]);
    let force = schur.force(graph, &found.unknowns);
    let force = force.into_iter().map(Root::Output);
    let before: Vec<Root> = found.order.iter().copied().chain(force).collect_vec();
    for (quantity, forms) in sensitivity.linearizations(graph) {
        let cheapest = cheapest_after(graph, &before, forms);
        form.insert(quantity, computed(cheapest));
    }
    form
}

/// Derivatives, row by row, one for each variable except time.
type Matrix = Vec<Vec<ExprId>>;

/// f̂, λ and G as functions of μ.
struct Residual {
    force: Vec<ExprId>,
    multipliers: Vec<ExprId>,
    rows: Vec<ExprId>,
}

impl Residual {
    fn new(graph: &mut Graph, varied: &Varied, leaves: &Leaves, schur: &Schur) -> Residual {
        let force = schur.force(graph, &varied.unknowns);
        let pairs = leaves.forces.iter().zip(&force);
        let all: Vec<ExprId> = pairs.map(|(&f, &own)| graph.add(f, own)).collect_vec();
        let moved = leaves.inverse_mass.products(graph, &all).into_iter();
        let moved: Vec<ExprId> = moved.map(|terms| graph.sum(&terms)).collect_vec();
        let mut row = |row: &ScaledRow| {
            let entries = row.jacobian.iter();
            let terms = entries.map(|&(i, j)| (graph.mul(j, moved[i]), Number::ONE));
            let mut terms: Vec<_> = terms.collect_vec();
            terms.push((row.bias, Number::ONE));
            graph.sum(&terms)
        };
        Residual {
            rows: schur.rows.iter().map(&mut row).collect_vec(),
            multipliers: schur.unscaled(graph, &varied.unknowns),
            force,
        }
    }

    /// f̂, then λ.
    fn reported(&self) -> impl Iterator<Item = ExprId> + '_ {
        self.force.iter().chain(&self.multipliers).copied()
    }
}

/// A derivation in progress.
struct Sensitivity<'a> {
    varied: &'a Varied,
    schur: &'a Schur,
    residual: Residual,
    /// The value of each μ.
    known: Map<ExprId, ExprId>,
}

impl Sensitivity<'_> {
    /// δf̂ and δλ along the caller's tangent.
    fn along(&self, graph: &mut Graph) -> Vec<ExprId> {
        let tangent = self.varied.tangent.iter().copied();
        let seeds = self.seeds(graph, tangent.enumerate());
        let minus = self.minus_rates(graph, &seeds);
        let moved = self.solve(graph, &minus);
        let reported = self.residual.reported();
        let reported = self.rates(graph, seeds, &moved, reported);
        self.substituted(graph, &reported)
    }

    /// The gradient of f̂*·f̂ + λ*·λ.
    fn back(&self, graph: &mut Graph) -> Vec<ExprId> {
        let varied = self.varied;
        let combined = varied.force.iter().chain(&varied.multipliers);
        let reported = self.residual.reported().zip(combined);
        let reported =
            reported.map(|(reported, &counts)| (graph.mul(counts, reported), Number::ONE));
        let mut terms: Vec<_> = reported.collect_vec();
        let rows = varied.adjoints.iter().zip(&self.residual.rows);
        terms.push_each(rows.map(|(&y, &row)| (graph.mul(y, row), Number::MINUS_ONE)));
        let scalar = graph.sum(&terms);
        let slopes = gradient(graph, scalar, &varied.variables);
        let right = self.combined(graph, &varied.force, &varied.multipliers);
        let adjoints = self.solve(graph, &right);
        let mut known = self.known.clone();
        let pairs = varied.adjoints.iter().zip(adjoints);
        known.extend(pairs.map(|(&leaf, value)| (leaf, graph.whole(value))));
        let map = graph.substitute(slopes.iter().copied(), known);
        slopes.iter().map(|id| map[id]).collect_vec()
    }

    /// The matrices of f̂, and of f̂ and λ, in each form, if they are small enough.
    fn linearizations(&self, graph: &mut Graph) -> Vec<(Quantity, [Vec<ExprId>; 2])> {
        let (n, m) = (self.varied.n, self.residual.rows.len());
        let requested = [
            (Quantity::ForceLinearization, n),
            (Quantity::ForceLinearizationAndMultipliers, n + m),
        ];
        let few =
            |&(_, rows): &(Quantity, usize)| rows * self.varied.variables.len() <= MOST_ENTRIES;
        let requested: Vec<(Quantity, usize)> = requested.into_iter().filter(few).collect_vec();
        let most = requested.iter().map(|it| it.1).max().unwrap_or(0);
        let forms = [self.by_columns(graph, most), self.by_rows(graph, most)];
        let ordered = |(quantity, rows): (Quantity, usize)| {
            let forms = [0, 1].map(|form: usize| {
                let (force, multipliers) = forms[form][..rows].split_at(n);
                let mut ordered = self.blocks(force);
                ordered.push_each(self.blocks(multipliers));
                self.substituted(graph, &ordered)
            });
            (quantity, forms)
        };
        requested.into_iter().map(ordered).collect_vec()
    }

    /// Derivatives of the first `rows` of f̂ and λ, with one solution for each variable.
    fn by_columns(&self, graph: &mut Graph, rows: usize) -> Matrix {
        let one = graph.number(Number::ONE);
        let mut matrix = vec![Vec::new(); rows];
        for k in 1..self.varied.variables.len() {
            let seeds = self.seeds(graph, [(k, one)]);
            let minus = self.minus_rates(graph, &seeds);
            let moved = self.solve(graph, &minus);
            let reported = self.residual.reported().take(rows);
            let column = self.rates(graph, seeds, &moved, reported);
            let pairs = matrix.iter_mut().zip(column);
            pairs.for_each(|(row, entry)| row.push(entry));
        }
        matrix
    }

    /// These derivatives with one solution for each row.
    fn by_rows(&self, graph: &mut Graph, rows: usize) -> Matrix {
        let (zero, one) = (graph.zero(), graph.number(Number::ONE));
        let (mut own, mut slopes) = (Vec::new(), Vec::new());
        for k in 1..self.varied.variables.len() {
            let seeds = self.seeds(graph, [(k, one)]);
            slopes.push(self.minus_rates(graph, &seeds));
            let reported = self.residual.reported().take(rows);
            own.push(self.rates(graph, seeds, &[], reported));
        }
        let row = |i: usize| {
            let mut unit = vec![zero; self.residual.reported().count()];
            unit[i] = one;
            let (force, multipliers) = unit.split_at(self.varied.n);
            let right = self.combined(graph, force, multipliers);
            let found = self.solve(graph, &right);
            let columns = own.iter().zip(&slopes);
            let row = columns.map(|(own, minus)| {
                let through = graph.dot(&found, minus);
                graph.add(own[i], through)
            });
            row.collect_vec()
        };
        (0..rows).map(row).collect_vec()
    }

    /// Columns of q, v, w, f and p: five matrices, each row by row.
    fn blocks(&self, rows: &[Vec<ExprId>]) -> Vec<ExprId> {
        let (n, count) = (self.varied.n, self.varied.variables.len() - 1);
        let blocks = [0..n, n..2 * n, 2 * n..3 * n, 3 * n..4 * n, 4 * n..count];
        let blocks = blocks.map(|columns| {
            let rows = rows.iter();
            rows.flat_map(move |row| row[columns.clone()].iter().copied())
        });
        blocks.into_iter().flatten().collect_vec()
    }

    /// The rates of the variables.
    fn seeds(
        &self,
        graph: &mut Graph,
        tangent: impl IntoIterator<Item = (usize, ExprId)>,
    ) -> Vec<Seed> {
        let zero = graph.zero();
        let seeds = tangent.into_iter();
        let seeds = seeds.map(|(k, rate)| (self.varied.variables[k], rate, zero));
        seeds.filter(|&(leaf, ..)| leaf != zero).collect_vec()
    }

    /// −δG
    fn minus_rates(&self, graph: &mut Graph, seeds: &[Seed]) -> Vec<ExprId> {
        let mut motion = Taylor::new(seeds.iter().copied());
        let rates = self.residual.rows.iter();
        let minus = rates.map(|&row| {
            let rate = motion.first(graph, row);
            graph.neg(rate)
        });
        minus.collect_vec()
    }

    /// The variations of some expressions, including that of μ.
    fn rates(
        &self,
        graph: &mut Graph,
        seeds: Vec<Seed>,
        moved: &[ExprId],
        of: impl Iterator<Item = ExprId>,
    ) -> Vec<ExprId> {
        let zero = graph.zero();
        let mut motion = Taylor::new(seeds);
        for (&leaf, &rate) in self.varied.unknowns.iter().zip(moved) {
            let rate = graph.whole(rate);
            motion.seed(leaf, rate, zero);
        }
        of.map(|id| motion.first(graph, id)).collect_vec()
    }

    /// J′ f̂* + λ*/c
    fn combined(&self, graph: &mut Graph, force: &[ExprId], multipliers: &[ExprId]) -> Vec<ExprId> {
        let right = self.rows_times(graph, force);
        let combined = self.schur.unscaled(graph, multipliers);
        let pairs = right.into_iter().zip(combined);
        pairs.map(|(a, b)| graph.add(a, b)).collect_vec()
    }

    /// J′ x
    fn rows_times(&self, graph: &mut Graph, x: &[ExprId]) -> Vec<ExprId> {
        let row = |row: &ScaledRow| {
            let entries = row.jacobian.iter();
            let terms = entries.map(|&(i, j)| (graph.mul(j, x[i]), Number::ONE));
            let terms: Vec<_> = terms.collect_vec();
            graph.sum(&terms)
        };
        self.schur.rows.iter().map(row).collect_vec()
    }

    fn solve(&self, graph: &mut Graph, right: &[ExprId]) -> Vec<ExprId> {
        self.schur.solve(graph, right, "").unknowns
    }

    fn substituted(&self, graph: &mut Graph, outputs: &[ExprId]) -> Vec<ExprId> {
        let map = graph.substitute(outputs.iter().copied(), self.known.clone());
        outputs.iter().map(|id| map[id]).collect_vec()
    }
}

/// A leaf, its rate, and that of its rate.
type Seed = (ExprId, ExprId, ExprId);
