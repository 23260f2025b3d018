//! The multipliers: the Schur complement J M⁻¹ Jᵀ, and what is solved with it.
//!
//! With M⁻¹ = w W one matrix serves two right-hand sides, so that w enters neither v̇ nor λ more often than it must:
//!
//! ```text
//! (J W Jᵀ) wλ = −β − J M⁻¹ h          in units of acceleration, of which v̇ = M⁻¹ h + W Jᵀ wλ is made
//! (J W Jᵀ) λ = −β/w − J W h           in units of force, of which λ and Jᵀ λ are made
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::row::{ScaledRow, SparseRow, indexed, number_in_front};
use super::sparse::{Coefficients, Factors, Sparse, Substituted, factor};
use super::units::Units;
use super::weighted::{Mass, MassFactors, Weight, Weighted, entries, guards};
use crate::expr::{ExprId, Graph, Node, Number};
use crate::schedule::{self, Meaning, Root};

/// J W Jᵀ of some rows, eliminated.
#[derive(Clone, Debug)]
pub struct Schur {
    /// The rows as solved.
    pub rows: Vec<ScaledRow>,
    /// h
    applied: Vec<ExprId>,
    /// M⁻¹ applied.
    pub weighted: Weighted,
    /// J W Jᵀ
    pub matrix: Sparse,
    factors: Factors,
    /// Unknowns found at run time, where rows may follow from each other.
    given: Option<Vec<ExprId>>,
    /// What must hold before anything is solved.
    first: Vec<Root>,
}

/// λ in one of its units.
#[derive(Clone, Debug)]
pub struct Multipliers {
    /// Those of the rows as solved.
    pub unknowns: Vec<ExprId>,
    /// Guards and parts, in the order of computation.
    pub order: Vec<Root>,
    /// Names of the parts.
    pub names: Vec<(ExprId, String)>,
    /// What the right-hand sides are called.
    pub meanings: Vec<(ExprId, Meaning)>,
}

impl Schur {
    /// Weighs the rows and assembles their matrix, not eliminated yet.
    pub fn new(
        graph: &mut Graph,
        mass: Mass<'_>,
        applied: &[ExprId],
        rows: Vec<ScaledRow>,
    ) -> Schur {
        let weighted = Weighted::new(graph, mass, applied, &rows);
        let units = Units::of(graph, &rows, &weighted);
        let matrix = delassus(graph, &rows, &weighted, &units);
        let first = units.conditions().into_iter();
        let first = first.chain(weighted.guards(graph, rows.len()));
        Schur {
            first: first.collect(),
            applied: applied.to_vec(),
            factors: Factors::default(),
            given: None,
            rows,
            weighted,
            matrix,
        }
    }

    /// The same with the one entry of one row written without W a, which is shorter where that is not needed besides:
    /// aᵀ W a as x (W₁₁ x + 2 (W₁₂ y + W₁₃ z)) + y (W₂₂ y + 2 W₂₃ z) + W₃₃ z². `None` where that is nothing new.
    pub fn squared(&self, graph: &mut Graph, inverse: &Sparse) -> Option<Schur> {
        let ([row], false) = (&self.rows[..], inverse.is_diagonal()) else {
            return None;
        };
        let coupled = |i: usize| self.weighted.weights[i] == Weight::Applied;
        let (turning, moving): (SparseRow, SparseRow) =
            row.jacobian.iter().partition(|&&(i, _)| coupled(i));
        let units = Units::of(graph, &self.rows, &self.weighted);
        let mut terms = vec![(
            units.inner(graph, &self.weighted, (0, 0), &moving),
            Number::ONE,
        )];
        for (k, &(i, entry)) in turning.iter().enumerate() {
            let own = inverse
                .get(i, i)
                .map(|w| (graph.mul(w, entry), Number::ONE));
            let others = turning[k + 1..].iter();
            let others = others.filter_map(|&(j, other)| {
                Some((graph.mul(inverse.get(i, j)?, other), Number::integer(2)))
            });
            let others: Vec<_> = others.collect();
            let others = graph.sum(&others);
            let sum: Vec<_> = own.into_iter().chain([(others, Number::ONE)]).collect();
            let sum = graph.sum(&sum);
            terms.push((graph.mul(entry, sum), Number::ONE));
        }
        let matrix = Sparse {
            n: 1,
            entries: [((0, 0), graph.sum(&terms))].into(),
        };
        let schur = self.clone();
        Some(Schur { matrix, ..schur })
    }

    /// The same eliminated.
    pub fn eliminated(self, graph: &mut Graph, coefficients: Coefficients) -> Schur {
        Schur {
            factors: factor(graph, &self.matrix, coefficients),
            ..self
        }
    }

    /// The same with unknowns that are found at run time.
    pub fn given(self, unknowns: Vec<ExprId>) -> Schur {
        Schur {
            given: Some(unknowns),
            ..self
        }
    }

    /// The same with more that must hold first.
    pub fn after(mut self, guards: impl IntoIterator<Item = Root>) -> Schur {
        self.first.extend(guards);
        self
    }

    /// The guards of M.
    pub fn guards(&self) -> &[Root] {
        &self.first
    }

    /// The elimination of M, where M is not diagonal.
    pub fn mass_factors(&self) -> Option<&MassFactors> {
        self.weighted.mass.as_ref()
    }

    /// W x, where M is diagonal or its inverse known.
    pub fn weigh(&self, graph: &mut Graph, x: &[ExprId]) -> Vec<ExprId> {
        if let Some(inverse) = &self.weighted.inverse {
            let terms = inverse.products(graph, x).into_iter();
            return terms.map(|terms| graph.sum(&terms)).collect();
        }
        let pairs = x.iter().zip(&self.weighted.weights);
        let weighed = pairs.map(|(&x, weight)| match *weight {
            Weight::OfTerm(w) | Weight::OfSum(w) => graph.mul(w, x),
            Weight::Applied => x,
        });
        weighed.collect()
    }

    /// b − J x
    pub fn less_pushed(&self, graph: &mut Graph, b: &[ExprId], x: &[ExprId]) -> Vec<ExprId> {
        let side = |(row, &b): (&ScaledRow, &ExprId)| {
            let pushed = dot(graph, &row.jacobian, x);
            graph.sum(&[(b, Number::ONE), (pushed, Number::MINUS_ONE)])
        };
        self.rows.iter().zip(b).map(side).collect()
    }

    /// −β − J M⁻¹ h
    pub fn accelerating(&self, graph: &mut Graph) -> Vec<ExprId> {
        let side = |row: &ScaledRow| {
            let pushed = dot(graph, &row.jacobian, &self.weighted.free);
            graph.sum(&[(row.bias, Number::MINUS_ONE), (pushed, Number::MINUS_ONE)])
        };
        self.rows.iter().map(side).collect()
    }

    /// −β/w − J W h, divided by w last where M⁻¹ h is the shorter one, as that of a weight m g.
    pub fn forcing(&self, graph: &mut Graph) -> Vec<ExprId> {
        let rows = 0..self.rows.len();
        rows.map(|r| self.forcing_row(graph, r)).collect()
    }

    fn forcing_row(&self, graph: &mut Graph, r: usize) -> ExprId {
        let (row, weighted) = (&self.rows[r], &self.weighted);
        let entries = row.jacobian.iter().copied();
        let (falls, pushes): (SparseRow, SparseRow) =
            entries.partition(|&(i, _)| weighted.falls(graph, &self.applied, i));
        let falling = dot(graph, &falls, &weighted.free);
        let moving = graph.add(row.bias, falling);
        let moving = graph.div(moving, weighted.common);
        let pushing = match &weighted.pushed {
            Some(pushed) => dot(graph, &pushes, pushed),
            None => {
                let applied = self.applied.iter().copied().enumerate();
                let known = |i: &usize| falls.iter().any(|(k, _)| k == i);
                let applied = applied.filter(|(i, _)| !known(i)).collect();
                weighted.inner(graph, r, &applied)
            }
        };
        graph.sum(&[(moving, Number::MINUS_ONE), (pushing, Number::MINUS_ONE)])
    }

    /// b of the rows as written, for those as solved.
    pub fn side(&self, graph: &mut Graph, b: &[ExprId]) -> Vec<ExprId> {
        let pairs = self.rows.iter().zip(b);
        let side = pairs.map(|(row, &b)| {
            let scaled = graph.div(b, row.content);
            // λ is divided by c once more, and the square of c may be beyond the floats.
            if number_in_front(graph, row.content).is_extreme() {
                graph.whole(scaled)
            } else {
                scaled
            }
        });
        side.collect()
    }

    /// Solves (J W Jᵀ) x = b; `letter` names x.
    pub fn solve(&self, graph: &mut Graph, b: &[ExprId], letter: &str) -> Multipliers {
        let found = match &self.given {
            Some(unknowns) => Substituted::given(unknowns),
            None => self.factors.solve(graph, b),
        };
        let matrix = schedule::Matrix::Delassus;
        let unknowns = found.unknowns.iter().enumerate();
        let unknowns = unknowns.map(|(row, &it)| (it, Meaning::Unknown(row)));
        let mut meanings = self.factors.meanings_of_sides(matrix, b, &found.forward);
        meanings.extend(unknowns);
        Multipliers {
            order: self.order(graph, &found),
            names: self.names(graph, letter, &found.unknowns),
            meanings,
            unknowns: found.unknowns,
        }
    }

    /// What the parts of both eliminations are called.
    pub fn meanings(&self) -> Vec<(ExprId, Meaning)> {
        let mut meanings = entries(&self.matrix, schedule::Matrix::Delassus);
        meanings.extend(self.factors.meanings(schedule::Matrix::Delassus));
        if let Some(mass) = &self.weighted.mass {
            meanings.extend(entries(&mass.scaled.mass, schedule::Matrix::Mass));
            meanings.extend(mass.factors.meanings(schedule::Matrix::Mass));
            meanings.extend(&mass.sides);
        }
        meanings
    }

    /// What x is to the rows as written.
    pub fn unscaled(&self, graph: &mut Graph, x: &[ExprId]) -> Vec<ExprId> {
        let one = graph.number(Number::ONE);
        self.unscaled_by(graph, x, one)
    }

    /// λ of the rows as written, from wλ of those as solved.
    pub fn in_units_of_force(&self, graph: &mut Graph, x: &[ExprId]) -> Vec<ExprId> {
        let mass = graph.recip(self.weighted.common);
        self.unscaled_by(graph, x, mass)
    }

    fn unscaled_by(&self, graph: &mut Graph, x: &[ExprId], unit: ExprId) -> Vec<ExprId> {
        let pairs = self.rows.iter().zip(x);
        pairs
            .map(|(row, &x)| row.unscaled(graph, x, unit))
            .collect()
    }

    /// W Jᵀ x
    pub fn velocity_changes(&self, graph: &mut Graph, x: &[ExprId]) -> Vec<ExprId> {
        let entry = |graph: &mut Graph, entry, x| self.weighted.times(graph, entry, x);
        combined(
            graph,
            self.weighted.weights.len(),
            &self.weighted.rows,
            x,
            entry,
        )
    }

    /// Jᵀ x
    pub fn force(&self, graph: &mut Graph, x: &[ExprId]) -> Vec<ExprId> {
        let rows: Vec<SparseRow> = self.rows.iter().map(|row| row.jacobian.clone()).collect();
        let entry = |graph: &mut Graph, (_, entry), x| graph.mul(entry, x);
        combined(graph, self.weighted.weights.len(), &rows, x, entry)
    }

    /// M⁻¹ Jᵀ/w of one row.
    pub fn weighted_row(&self, graph: &mut Graph, row: usize) -> SparseRow {
        let one = graph.number(Number::ONE);
        let entries = self.weighted.rows[row].iter();
        let times =
            |&(i, entry): &(usize, ExprId)| (i, self.weighted.times(graph, (i, entry), one));
        entries.map(times).collect()
    }

    /// J W Jᵀ, row by row.
    pub fn full(&self, graph: &mut Graph) -> Vec<ExprId> {
        let (n, zero) = (self.matrix.n, graph.zero());
        let places = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        let entry = |(i, j)| self.matrix.get(i, j).unwrap_or(zero);
        places.map(entry).collect()
    }

    /// Its lower triangle.
    pub fn dense_lower(&self, graph: &mut Graph) -> Vec<ExprId> {
        let n = self.matrix.n;
        let lower = (0..n).flat_map(|i| (0..=i).map(move |j| (i, j)));
        let zero = graph.zero();
        let entry = |(i, j)| self.matrix.get(i, j).unwrap_or(zero);
        lower.map(entry).collect()
    }

    /// After what must hold first, pivot by pivot the elimination with its right-hand side; then the unknowns, last
    /// first.
    fn order(&self, graph: &Graph, substituted: &Substituted) -> Vec<Root> {
        let Substituted { forward, unknowns } = substituted;
        let mut order = self.first.clone();
        let rows = unknowns.len();
        let early = |&value: &ExprId| {
            let computed = rows > 1 && !matches!(graph.node(value), Node::Symbol(_));
            computed.then_some(Root::Early(value))
        };
        let (alone, paired) = forward.split_at(self.factors.alone().min(forward.len()));
        let mut guards = guards(graph, &self.factors, 0).into_iter();
        for (value, guard) in alone.iter().zip(&mut guards) {
            order.extend(guard);
            order.extend(early(value));
        }
        let (guards, paired) = (guards.flatten(), paired.iter().filter_map(early));
        match alone.is_empty() {
            true => order.extend(guards.chain(paired)),
            // The right-hand sides fill the time in which the pivots wait for the divisions before.
            false => order.extend(paired.chain(guards)),
        }
        if rows > 1 {
            let backwards = self.factors.pivots().rev();
            order.extend(backwards.map(|pivot| Root::Early(unknowns[pivot.row])));
        }
        order
    }

    fn names(&self, graph: &Graph, letter: &str, unknowns: &[ExprId]) -> Vec<(ExprId, String)> {
        let count = unknowns.len();
        let pivots = self.factors.pivots();
        let mut names: Vec<(ExprId, String)> = pivots
            .map(|pivot| (pivot.pivot, pivot.name(count)))
            .collect();
        let rows = self.factors.pivots().map(|pivot| pivot.row);
        names.extend(rows.map(|row| (unknowns[row], indexed(letter, row, count))));
        names.retain(|(id, _)| !matches!(graph.node(*id), Node::Symbol(_) | Node::Number(_)));
        names
    }
}

/// J W Jᵀ
fn delassus(graph: &mut Graph, rows: &[ScaledRow], weighted: &Weighted, units: &Units) -> Sparse {
    let mut by_velocity: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (r, row) in rows.iter().enumerate() {
        for &(i, _) in &row.jacobian {
            by_velocity.entry(i).or_default().push(r);
        }
    }
    let mut coupled: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (r, row) in weighted.rows.iter().enumerate() {
        let others = row.iter().flat_map(|(i, _)| by_velocity.get(i)).flatten();
        coupled.extend(others.filter(|&&s| s <= r).map(|&s| (r, s)));
    }
    let entries = coupled.into_iter().map(|(r, s)| {
        let entry = units.inner(graph, weighted, (r, s), &rows[s].jacobian);
        ((r, s), entry)
    });
    let mut entries: BTreeMap<_, _> = entries.collect();
    entries.retain(|_, &mut entry| !graph.is_zero(entry));
    Sparse {
        n: rows.len(),
        entries,
    }
}

/// Σ row·x, entry by entry of so many.
fn combined(
    graph: &mut Graph,
    n: usize,
    rows: &[SparseRow],
    x: &[ExprId],
    times: impl Fn(&mut Graph, (usize, ExprId), ExprId) -> ExprId,
) -> Vec<ExprId> {
    let mut terms: Vec<Vec<(ExprId, Number)>> = vec![Vec::new(); n];
    for (row, &x) in rows.iter().zip(x) {
        for &(i, entry) in row {
            terms[i].push((times(graph, (i, entry), x), Number::ONE));
        }
    }
    terms.iter().map(|terms| graph.sum(terms)).collect()
}

fn dot(graph: &mut Graph, row: &SparseRow, x: &[ExprId]) -> ExprId {
    let terms = row.iter();
    let terms = terms.map(|&(i, entry)| (graph.mul(entry, x[i]), Number::ONE));
    let terms: Vec<_> = terms.collect();
    graph.sum(&terms)
}
