//! The multipliers: the Schur complement J M⁻¹ Jᵀ and the linear systems solved with it.
//!
//! With M⁻¹ = w W one matrix serves two right-hand sides, so that v̇ and λ contain w no more often than necessary:
//!
//! ```text
//! (J W Jᵀ) wλ = −β − J M⁻¹ h          in units of acceleration, for v̇ = M⁻¹ h + W Jᵀ wλ
//! (J W Jᵀ) λ = −β/w − J W h           in units of force, for λ and Jᵀ λ
//! ```

use super::row::{ScaledRow, SparseRow, indexed, number_in_front};
use super::sparse::{Factors, Pivot, Sparse, Substituted, factor};
use super::units::Units;
use super::weighted::{Mass, MassFactors, Weight, Weighted, entries, guard, guards};
use crate::expr::{CollectVec, ExprId, Graph, Node, Number, PushEach, SortedMap, SortedSet};
use crate::schedule::{self, Meaning, Root};

/// J W Jᵀ of some rows, with its elimination.
#[derive(Clone, Debug)]
pub struct Schur {
    /// The scaled rows.
    pub rows: Vec<ScaledRow>,
    /// h
    applied: Vec<ExprId>,
    /// Products with M⁻¹.
    pub weighted: Weighted,
    /// J W Jᵀ
    pub matrix: Sparse,
    factors: Factors,
    /// Found at run time, if rows may be redundant.
    given: Option<Given>,
    /// Guards to check before the solution.
    first: Vec<Root>,
}

/// A solution that is found at run time.
#[derive(Clone, Debug)]
pub enum Given {
    /// λ itself.
    Unknowns(Vec<ExprId>),
    /// P of λ = P b, row by row.
    Inverse(Vec<Vec<ExprId>>),
}

/// λ in one of its units.
#[derive(Clone, Debug)]
pub struct Multipliers {
    /// Multipliers of the scaled rows.
    pub unknowns: Vec<ExprId>,
    /// Guards and intermediate results, in the order of computation.
    pub order: Vec<Root>,
    /// Names of the intermediate results.
    pub names: Vec<(ExprId, String)>,
    /// Meanings of the right-hand sides.
    pub meanings: Vec<(ExprId, Meaning)>,
}

impl Schur {
    /// Weights the rows and assembles their matrix, without elimination.
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
            first: first.collect_vec(),
            applied: applied.to_vec(),
            factors: Factors::default(),
            given: None,
            rows,
            weighted,
            matrix,
        }
    }

    /// For one row, the entry of its matrix without W a, which is shorter if W a has no other use:
    /// aᵀ W a as x (W₁₁ x + 2 (W₁₂ y + W₁₃ z)) + y (W₂₂ y + 2 W₂₃ z) + W₃₃ z². `None` for several rows or diagonal W.
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
            let others: Vec<_> = others.collect_vec();
            let others = graph.sum(&others);
            let sum: Vec<_> = own.into_iter().chain([(others, Number::ONE)]).collect_vec();
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

    /// Eliminates the matrix.
    pub fn eliminated(self, graph: &mut Graph) -> Schur {
        Schur {
            factors: factor(graph, &self.matrix),
            ..self
        }
    }

    /// Uses a solution that is found at run time.
    pub fn given(self, given: Given) -> Schur {
        Schur {
            given: Some(given),
            ..self
        }
    }

    /// The same by the pseudo-inverse of the matrix, found at run time, where every row has a gradient; its entries, row by row.
    pub fn by_pseudo_inverse(&self, graph: &Graph, entries: Vec<Vec<ExprId>>) -> Schur {
        let diagonal = (0..entries.len()).filter_map(|i| Some((i, self.matrix.get(i, i)?)));
        let guards = diagonal.filter_map(|(i, it)| guard(graph, &Pivot::diagonal(i, it)));
        let guards: Vec<Root> = guards.collect_vec();
        self.clone().after(guards).given(Given::Inverse(entries))
    }

    /// True if unknowns or their pseudo-inverse are found at run time.
    pub fn are_given(&self) -> bool {
        self.given.is_some()
    }

    /// The pseudo-inverse of the matrix, row by row, if it is found at run time.
    pub fn pseudo_inverse(&self) -> Option<&[Vec<ExprId>]> {
        match &self.given {
            Some(Given::Inverse(rows)) => Some(rows),
            _ => None,
        }
    }

    /// Adds guards to check first.
    pub fn after(mut self, guards: impl IntoIterator<Item = Root>) -> Schur {
        self.first.push_each(guards);
        self
    }

    /// The guards of M.
    pub fn guards(&self) -> &[Root] {
        &self.first
    }

    /// The elimination of M, if M is not diagonal.
    pub fn mass_factors(&self) -> Option<&MassFactors> {
        self.weighted.mass.as_ref()
    }

    /// W x, if M is diagonal or its inverse known.
    pub fn weigh(&self, graph: &mut Graph, x: &[ExprId]) -> Vec<ExprId> {
        if let Some(inverse) = &self.weighted.inverse {
            let terms = inverse.products(graph, x).into_iter();
            return terms.map(|terms| graph.sum(&terms)).collect_vec();
        }
        let pairs = x.iter().zip(&self.weighted.weights);
        let weighted = pairs.map(|(&x, weight)| match *weight {
            Weight::OfTerm(w) | Weight::OfSum(w) => graph.mul(w, x),
            Weight::Applied => x,
        });
        weighted.collect_vec()
    }

    /// b − J x
    pub fn minus_jacobian_product(
        &self,
        graph: &mut Graph,
        b: &[ExprId],
        x: &[ExprId],
    ) -> Vec<ExprId> {
        let side = |(row, &b): (&ScaledRow, &ExprId)| {
            let product = dot(graph, &row.jacobian, x);
            graph.sum(&[(b, Number::ONE), (product, Number::MINUS_ONE)])
        };
        self.rows.iter().zip(b).map(side).collect_vec()
    }

    /// −β − J M⁻¹ h
    pub fn acceleration_side(&self, graph: &mut Graph) -> Vec<ExprId> {
        let side = |row: &ScaledRow| {
            let product = dot(graph, &row.jacobian, &self.weighted.free);
            graph.sum(&[(row.bias, Number::MINUS_ONE), (product, Number::MINUS_ONE)])
        };
        self.rows.iter().map(side).collect_vec()
    }

    /// −β/w − J W h. The division by w comes last where M⁻¹ h is shorter than W h, as for a weight m g.
    pub fn force_side(&self, graph: &mut Graph) -> Vec<ExprId> {
        let rows = 0..self.rows.len();
        rows.map(|r| self.force_side_of_row(graph, r)).collect_vec()
    }

    fn force_side_of_row(&self, graph: &mut Graph, r: usize) -> ExprId {
        let (row, weighted) = (&self.rows[r], &self.weighted);
        let entries = row.jacobian.iter().copied();
        let (prefers_free_motion, pushes): (SparseRow, SparseRow) =
            entries.partition(|&(i, _)| weighted.prefers_free_motion(graph, &self.applied, i));
        let falling = dot(graph, &prefers_free_motion, &weighted.free);
        let moving = graph.add(row.bias, falling);
        let moving = graph.div(moving, weighted.common);
        let pushing = match &weighted.weighted_force {
            Some(weighted_force) => dot(graph, &pushes, weighted_force),
            None => {
                let applied = self.applied.iter().copied().enumerate();
                let known = |i: &usize| prefers_free_motion.iter().any(|(k, _)| k == i);
                let applied = applied.filter(|(i, _)| !known(i)).collect_vec();
                weighted.inner(graph, r, &applied)
            }
        };
        graph.sum(&[(moving, Number::MINUS_ONE), (pushing, Number::MINUS_ONE)])
    }

    /// The right-hand side for the scaled rows, from b of the rows as written.
    pub fn side(&self, graph: &mut Graph, b: &[ExprId]) -> Vec<ExprId> {
        let pairs = self.rows.iter().zip(b);
        let side = pairs.map(|(row, &b)| {
            let scaled = graph.div(b, row.content);
            // λ is divided by c once more, and c² may leave the range of floats.
            if number_in_front(graph, row.content).is_extreme() {
                graph.whole(scaled)
            } else {
                scaled
            }
        });
        side.collect_vec()
    }

    /// Solves (J W Jᵀ) x = b; `letter` is the name of x.
    pub fn solve(&self, graph: &mut Graph, b: &[ExprId], letter: &str) -> Multipliers {
        let found = match &self.given {
            Some(Given::Unknowns(unknowns)) => Substituted::given(unknowns),
            Some(Given::Inverse(rows)) => {
                let products = rows.iter().map(|row| graph.dot(row, b));
                Substituted::given(&products.collect_vec())
            }
            None => self.factors.solve(graph, b),
        };
        let matrix = schedule::Matrix::Delassus;
        let unknowns = found.unknowns.iter().enumerate();
        let unknowns = unknowns.map(|(row, &it)| (it, Meaning::Unknown(row)));
        let mut meanings = self.factors.meanings_of_sides(matrix, b, &found.forward);
        meanings.push_each(unknowns);
        Multipliers {
            order: self.order(graph, &found),
            names: self.names(graph, letter, &found.unknowns),
            meanings,
            unknowns: found.unknowns,
        }
    }

    /// Meanings of the intermediate results of both eliminations.
    pub fn meanings(&self) -> Vec<(ExprId, Meaning)> {
        let mut meanings = entries(&self.matrix, schedule::Matrix::Delassus);
        meanings.push_each(self.factors.meanings(schedule::Matrix::Delassus));
        if let Some(mass) = &self.weighted.mass {
            meanings.push_each(entries(&mass.scaled.mass, schedule::Matrix::Mass));
            meanings.push_each(mass.factors.meanings(schedule::Matrix::Mass));
            meanings.extend(&mass.sides);
        }
        meanings
    }

    /// x of the rows as written, from x of the scaled rows.
    pub fn unscaled(&self, graph: &mut Graph, x: &[ExprId]) -> Vec<ExprId> {
        let one = graph.number(Number::ONE);
        self.unscaled_by(graph, x, one)
    }

    /// λ of the rows as written, from wλ of the scaled rows.
    pub fn in_units_of_force(&self, graph: &mut Graph, x: &[ExprId]) -> Vec<ExprId> {
        let mass = graph.recip(self.weighted.common);
        self.unscaled_by(graph, x, mass)
    }

    fn unscaled_by(&self, graph: &mut Graph, x: &[ExprId], unit: ExprId) -> Vec<ExprId> {
        let pairs = self.rows.iter().zip(x);
        pairs
            .map(|(row, &x)| row.unscaled(graph, x, unit))
            .collect_vec()
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
        let rows: Vec<SparseRow> = self
            .rows
            .iter()
            .map(|row| row.jacobian.clone())
            .collect_vec();
        let entry = |graph: &mut Graph, (_, entry), x| graph.mul(entry, x);
        combined(graph, self.weighted.weights.len(), &rows, x, entry)
    }

    /// M⁻¹ Jᵀ/w of one row.
    pub fn weighted_row(&self, graph: &mut Graph, row: usize) -> SparseRow {
        let one = graph.number(Number::ONE);
        let entries = self.weighted.rows[row].iter();
        let times =
            |&(i, entry): &(usize, ExprId)| (i, self.weighted.times(graph, (i, entry), one));
        entries.map(times).collect_vec()
    }

    /// J W Jᵀ, row by row.
    pub fn full(&self, graph: &mut Graph) -> Vec<ExprId> {
        let (n, zero) = (self.matrix.n, graph.zero());
        let places = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        let entry = |(i, j)| self.matrix.get(i, j).unwrap_or(zero);
        places.map(entry).collect_vec()
    }

    /// Its lower triangle.
    pub fn dense_lower(&self, graph: &mut Graph) -> Vec<ExprId> {
        let n = self.matrix.n;
        let lower = (0..n).flat_map(|i| (0..=i).map(move |j| (i, j)));
        let zero = graph.zero();
        let entry = |(i, j)| self.matrix.get(i, j).unwrap_or(zero);
        lower.map(entry).collect_vec()
    }

    /// First the guards; then the elimination pivot by pivot with its right-hand side; then the unknowns, last
    /// one first.
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
            order.push_each(guard);
            order.push_each(early(value));
        }
        let (guards, paired) = (guards.flatten(), paired.iter().filter_map(early));
        match alone.is_empty() {
            true => order.push_each(guards.chain(paired)),
            // The right-hand sides use the time in which the pivots wait for the divisions before them.
            false => order.push_each(paired.chain(guards)),
        }
        if rows > 1 {
            let backwards = self.factors.pivots().rev();
            order.push_each(backwards.map(|pivot| Root::Early(unknowns[pivot.row])));
        }
        order
    }

    fn names(&self, graph: &Graph, letter: &str, unknowns: &[ExprId]) -> Vec<(ExprId, String)> {
        let count = unknowns.len();
        let pivots = self.factors.pivots();
        let mut names: Vec<(ExprId, String)> = pivots
            .map(|pivot| (pivot.pivot, pivot.name(count)))
            .collect_vec();
        let rows: Vec<usize> = match &self.given {
            Some(_) => (0..count).collect_vec(),
            None => self.factors.pivots().map(|pivot| pivot.row).collect_vec(),
        };
        names.push_each(
            rows.into_iter()
                .map(|row| (unknowns[row], indexed(letter, row, count))),
        );
        names.retain(|(id, _)| !matches!(graph.node(*id), Node::Symbol(_) | Node::Number(_)));
        names
    }
}

/// J W Jᵀ
fn delassus(graph: &mut Graph, rows: &[ScaledRow], weighted: &Weighted, units: &Units) -> Sparse {
    let mut by_velocity: SortedMap<usize, Vec<usize>> = SortedMap::new();
    for (r, row) in rows.iter().enumerate() {
        for &(i, _) in &row.jacobian {
            by_velocity.entry(i).or_default().push(r);
        }
    }
    let mut coupled: SortedSet<(usize, usize)> = SortedSet::new();
    for (r, row) in weighted.rows.iter().enumerate() {
        let others = row.iter().flat_map(|(i, _)| by_velocity.get(i)).flatten();
        coupled.extend(others.filter(|&&s| s <= r).map(|&s| (r, s)));
    }
    let entries = coupled.into_iter().map(|(r, s)| {
        let entry = units.inner(graph, weighted, (r, s), &rows[s].jacobian);
        ((r, s), entry)
    });
    let mut entries: SortedMap<_, _> = entries.collect();
    entries.retain(|_, &mut entry| !graph.is_zero(entry));
    Sparse {
        n: rows.len(),
        entries,
    }
}

/// Σ row·x, with `n` entries.
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
    terms.iter().map(|terms| graph.sum(terms)).collect_vec()
}

fn dot(graph: &mut Graph, row: &SparseRow, x: &[ExprId]) -> ExprId {
    let terms = row.iter();
    let terms = terms.map(|&(i, entry)| (graph.mul(entry, x[i]), Number::ONE));
    let terms: Vec<_> = terms.collect_vec();
    graph.sum(&terms)
}
