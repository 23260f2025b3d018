//! The multipliers: the Schur complement J M⁻¹ Jᵀ, and what is solved with it.
//!
//! With M⁻¹ = w W one matrix serves two right-hand sides, so that w enters neither v̇ nor λ more often than it must:
//!
//! ```text
//! (J W Jᵀ) wλ = −β − J M⁻¹ h          in units of acceleration, of which v̇ = M⁻¹ h + W Jᵀ wλ is made
//! (J W Jᵀ) λ = −β/w − J W h           in units of force, of which λ and Jᵀ λ are made
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::row::{ScaledRow, SparseRow, divide_terms, indexed, number_in_front};
use super::scaling::{self, Scaled};
use super::sparse::{Coefficients, Factors, Pivot, Sparse, Substituted, factor};
use crate::expr::{ExprId, Graph, Node, Number};
use crate::schedule::{self, Guard, Meaning, Root};

/// What resists.
#[derive(Clone, Copy, Debug)]
pub enum Mass<'a> {
    /// M, and what is known to be positive: masses, and entries of the diagonal among them.
    Matrix(&'a Sparse, &'a [ExprId]),
    /// M⁻¹, and M, where that is known too.
    Inverse(&'a Sparse, Option<&'a Sparse>),
}

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

/// M⁻¹ applied: to h, and to every row of J.
#[derive(Clone, Debug)]
pub struct Weighted {
    /// M⁻¹ h; empty where M⁻¹ alone is given, for which nobody asks.
    pub free: Vec<ExprId>,
    /// W h; `None` where W Jᵀ is known, so that (W Jᵀ)ᵀ h takes less.
    pushed: Option<Vec<ExprId>>,
    /// W Jᵀ, row by row, as far as the weights say.
    rows: Vec<SparseRow>,
    /// W, velocity by velocity.
    weights: Vec<Weight>,
    /// Whether W couples a velocity to others.
    coupled: Vec<bool>,
    /// w, taken out where all inverse masses are multiples of one.
    pub common: ExprId,
    /// The elimination of M, where M is not diagonal.
    mass: Option<MassFactors>,
    /// M⁻¹, where that is given.
    inverse: Option<Sparse>,
}

/// M = D M̂ D/w with M̂ eliminated.
#[derive(Clone, Debug)]
pub struct MassFactors {
    /// M̂, D and 1/w.
    pub scaled: Scaled,
    factors: Factors,
    /// What the sides are called that M⁻¹ h is solved with.
    sides: Vec<(ExprId, Meaning)>,
}

impl MassFactors {
    /// M̂⁻¹ x
    pub fn solve(&self, graph: &mut Graph, x: &[ExprId]) -> Vec<ExprId> {
        self.factors.solve(graph, x).unknowns
    }

    /// x/d, entry by entry.
    pub fn reduced(&self, graph: &mut Graph, x: &[ExprId]) -> Vec<ExprId> {
        let pairs = x.iter().zip(&self.scaled.scales);
        pairs.map(|(&x, &d)| graph.reduced(x, d)).collect()
    }
}

/// How W enters at a velocity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weight {
    /// The rows are multiplied by it.
    Applied,
    /// It multiplies every term, so that sums take out what their terms share.
    OfTerm(ExprId),
    /// It multiplies the sum over all velocities that it belongs to.
    OfSum(ExprId),
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

impl Weighted {
    fn new(graph: &mut Graph, mass: Mass<'_>, applied: &[ExprId], rows: &[ScaledRow]) -> Weighted {
        let rows: Vec<SparseRow> = rows.iter().map(|row| row.jacobian.clone()).collect();
        match mass {
            Mass::Inverse(inverse, mass) => {
                Weighted::by_inverse(graph, inverse, mass, applied, &rows)
            }
            Mass::Matrix(mass, _) if mass.is_diagonal() => {
                Weighted::by_masses(graph, mass, applied, rows)
            }
            Mass::Matrix(mass, positive) => {
                Weighted::by_elimination(graph, mass, positive, applied, &rows)
            }
        }
    }

    fn by_masses(
        graph: &mut Graph,
        mass: &Sparse,
        applied: &[ExprId],
        rows: Vec<SparseRow>,
    ) -> Weighted {
        let one = graph.number(Number::ONE);
        let masses = (0..applied.len()).map(|i| mass.get(i, i).unwrap_or(one));
        let masses: Vec<ExprId> = masses.collect();
        let pairs = masses.iter().zip(applied);
        let free: Vec<ExprId> = pairs.map(|(&m, &h)| divided(graph, h, m)).collect();
        let (common, ratios) = common_mass(graph, &masses);
        let pushed = if common == one {
            free.clone()
        } else {
            let pairs = ratios.iter().zip(applied);
            pairs.map(|(&ratio, &h)| graph.mul(ratio, h)).collect()
        };
        Weighted {
            free,
            pushed: Some(pushed),
            rows,
            coupled: vec![false; ratios.len()],
            weights: ratios.into_iter().map(Weight::OfTerm).collect(),
            common,
            mass: None,
            inverse: None,
        }
    }

    /// M⁻¹ = D⁻¹ M̂⁻¹ D⁻¹/w by elimination of M̂.
    fn by_elimination(
        graph: &mut Graph,
        mass: &Sparse,
        positive: &[ExprId],
        applied: &[ExprId],
        rows: &[SparseRow],
    ) -> Weighted {
        let scaled = scaling::scaled(graph, mass, positive);
        let factors = factor(graph, &scaled.mass, Coefficients::InPlace);
        let mut mass = MassFactors {
            scaled,
            factors,
            sides: Vec::new(),
        };
        let mut sides = Vec::new();
        let mut solved = |graph: &mut Graph, right: &[ExprId], is_of_forces| -> Vec<ExprId> {
            let right = mass.reduced(graph, right);
            let found = mass.factors.solve(graph, &right);
            if is_of_forces {
                let matrix = schedule::Matrix::Mass;
                let factors = &mass.factors;
                sides.extend(factors.meanings_of_sides(matrix, &right, &found.forward));
            }
            mass.reduced(graph, &found.unknowns)
        };
        let common = mass.scaled.common;
        let reduced = applied.iter();
        let reduced: Vec<ExprId> = reduced.map(|&h| graph.reduced(h, common)).collect();
        let free = solved(graph, &reduced, true);
        let pushed = solved(graph, applied, true);
        let weighed = rows.iter().map(|row| {
            let mut right = vec![graph.zero(); applied.len()];
            row.iter().for_each(|&(i, entry)| right[i] = entry);
            let entries = solved(graph, &right, false).into_iter().enumerate();
            entries.filter(|&(_, x)| !graph.is_zero(x)).collect()
        });
        let rows = weighed.collect();
        mass.sides = sides;
        Weighted {
            free,
            pushed: Some(pushed),
            rows,
            weights: vec![Weight::Applied; applied.len()],
            coupled: vec![true; applied.len()],
            common: graph.recip(common),
            mass: Some(mass),
            inverse: None,
        }
    }

    /// M⁻¹ known: where M is diagonal, entries are divided, elsewhere multiplied.
    fn by_inverse(
        graph: &mut Graph,
        inverse: &Sparse,
        mass: Option<&Sparse>,
        applied: &[ExprId],
        rows: &[SparseRow],
    ) -> Weighted {
        let mut columns: Vec<SparseRow> = vec![Vec::new(); inverse.n];
        for (&(i, j), &entry) in &inverse.entries {
            columns[j].push((i, entry));
            if i != j {
                columns[i].push((j, entry));
            }
        }
        let apply = |graph: &mut Graph, x: SparseRow| {
            let mut sums = Collected::default();
            for (j, x) in x {
                for &(i, entry) in &columns[j] {
                    let product = match (&columns[j][..], mass.and_then(|mass| mass.get(j, j))) {
                        ([_], Some(m)) => divided(graph, x, m),
                        _ => graph.mul(entry, x),
                    };
                    sums.add(i, product);
                }
            }
            sums.summed(graph)
        };
        let weights: Vec<Weight> = match mass {
            Some(_) => vec![Weight::Applied; inverse.n],
            None => columns
                .iter()
                .map(|column| isotropic(column, &columns))
                .collect(),
        };
        let mut free = Vec::new();
        if mass.is_some() {
            free = vec![graph.zero(); inverse.n];
            for (i, x) in apply(graph, applied.iter().copied().enumerate().collect()) {
                free[i] = x;
            }
        }
        let rows = rows.iter().map(|row| {
            let entries = row.iter().copied();
            let (coupled, plain): (SparseRow, SparseRow) =
                entries.partition(|&(i, _)| weights[i] == Weight::Applied);
            let mut row = apply(graph, coupled);
            row.extend(plain);
            row.sort_unstable();
            row
        });
        Weighted {
            rows: rows.collect(),
            free,
            pushed: None,
            weights,
            coupled: columns.iter().map(|column| column.len() > 1).collect(),
            common: graph.number(Number::ONE),
            mass: None,
            inverse: Some(inverse.clone()),
        }
    }

    /// Whether M⁻¹ h is shorter at a velocity than W h, or than h where nothing couples it to others.
    fn falls(&self, graph: &Graph, applied: &[ExprId], i: usize) -> bool {
        let size = |id: ExprId| graph.reachable([id]).len();
        match &self.pushed {
            Some(pushed) => size(self.free[i]) < size(pushed[i]),
            None if self.coupled[i] => false,
            None => self
                .free
                .get(i)
                .is_some_and(|&free| size(free) < size(applied[i])),
        }
    }

    /// aᵀ W x of row r.
    fn inner(&self, graph: &mut Graph, r: usize, x: &SparseRow) -> ExprId {
        let x: BTreeMap<usize, ExprId> = x.iter().copied().collect();
        let mut terms = Vec::new();
        let mut sums: BTreeMap<ExprId, Vec<(ExprId, Number)>> = BTreeMap::new();
        for &(i, entry) in &self.rows[r] {
            let Some(&x) = x.get(&i) else {
                continue;
            };
            match self.weights[i] {
                Weight::OfSum(w) => {
                    let product = graph.mul(entry, x);
                    sums.entry(w).or_default().push((product, Number::ONE));
                }
                _ => terms.push((self.times(graph, (i, entry), x), Number::ONE)),
            }
        }
        for (w, sum) in sums {
            let sum = graph.sum(&sum);
            terms.push((graph.mul(w, sum), Number::ONE));
        }
        graph.sum(&terms)
    }

    /// An entry of W Jᵀ times x: a flat product, from which sums take the mass that their terms share.
    fn times(&self, graph: &mut Graph, (i, entry): (usize, ExprId), x: ExprId) -> ExprId {
        match self.weights[i] {
            Weight::Applied => graph.mul(entry, x),
            Weight::OfTerm(w) | Weight::OfSum(w) => graph.product(&[(w, 1), (entry, 1), (x, 1)]),
        }
    }

    /// The pivots of M, counted after the rows.
    fn guards(&self, graph: &Graph, rows: usize) -> Vec<Root> {
        let mass = self.mass.iter();
        let guards = mass.flat_map(|mass| guards(graph, &mass.factors, rows));
        guards.flatten().collect()
    }
}

/// What the entries of a matrix are called.
pub fn entries(matrix: &Sparse, of: schedule::Matrix) -> Vec<(ExprId, Meaning)> {
    let entries = matrix.entries.iter();
    let entries = entries.map(|(&(i, j), &entry)| (entry, Meaning::Entry(of, i, j)));
    entries.collect()
}

/// The entries of a row, term by term.
#[derive(Default)]
pub struct Collected(BTreeMap<usize, Vec<(ExprId, Number)>>);

impl Collected {
    /// Adds a term to an entry.
    pub fn add(&mut self, i: usize, entry: ExprId) {
        self.0.entry(i).or_default().push((entry, Number::ONE));
    }

    /// The sums that are not zero.
    pub fn summed(self, graph: &mut Graph) -> SparseRow {
        let rows = self.0.into_iter();
        let mut row: SparseRow = rows.map(|(i, terms)| (i, graph.sum(&terms))).collect();
        row.retain(|&(_, entry)| !graph.is_zero(entry));
        row
    }
}

/// h/m
pub fn divided(graph: &mut Graph, h: ExprId, m: ExprId) -> ExprId {
    match has_sum(graph, m) {
        true => graph.div(h, m),
        // So that a weight becomes g.
        false => divide_terms(graph, h, m),
    }
}

fn has_sum(graph: &Graph, id: ExprId) -> bool {
    let reachable = graph.reachable([id]);
    reachable
        .iter()
        .any(|&id| matches!(graph.node(id), Node::Sum { .. }))
}

/// w and the inverse masses in units of it: numbers where all masses are multiples of one, else w = 1.
pub fn common_mass(graph: &mut Graph, masses: &[ExprId]) -> (ExprId, Vec<ExprId>) {
    let one = graph.number(Number::ONE);
    let first = masses.first().copied().unwrap_or(one);
    let ratios: Vec<ExprId> = masses.iter().map(|&m| graph.div(first, m)).collect();
    if ratios.iter().all(|&ratio| graph.as_number(ratio).is_some()) {
        (graph.recip(first), ratios)
    } else {
        (one, masses.iter().map(|&m| graph.recip(m)).collect())
    }
}

/// How W enters at a velocity that has this column of W: once for all velocities of one inverse mass.
fn isotropic(column: &SparseRow, columns: &[SparseRow]) -> Weight {
    let alone = |column: &SparseRow| match column[..] {
        [(_, w)] => Some(w),
        _ => None,
    };
    let Some(w) = alone(column) else {
        return Weight::Applied;
    };
    let others = columns.iter().filter(|other| alone(other) == Some(w));
    if others.count() > 1 {
        Weight::OfSum(w)
    } else {
        Weight::Applied
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

/// A unit vector n = d/√u among the entries of a row, at all velocities of one inverse mass.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Unit {
    entries: SparseRow,
    /// u
    radicand: ExprId,
    /// The inverse mass.
    weight: ExprId,
}

/// The unit vectors of each row.
struct Units(Vec<Vec<Unit>>);

impl Units {
    fn of(graph: &Graph, rows: &[ScaledRow], weighted: &Weighted) -> Units {
        let of_row = |row: &ScaledRow| {
            let mut groups: BTreeMap<ExprId, SparseRow> = BTreeMap::new();
            for &(i, entry) in &row.jacobian {
                if let Weight::OfSum(weight) = weighted.weights[i] {
                    groups.entry(weight).or_default().push((i, entry));
                }
            }
            let unit = |(weight, entries): (ExprId, SparseRow)| {
                let vector: Vec<ExprId> = entries.iter().map(|&(_, entry)| entry).collect();
                let radicand = graph.unit_radicand(&vector)?;
                Some(Unit {
                    entries,
                    radicand,
                    weight,
                })
            };
            groups.into_iter().filter_map(unit).collect()
        };
        Units(rows.iter().map(of_row).collect())
    }

    /// aᵀ W x of rows r and s, in which a unit vector that both have is n·n = 1.
    fn inner(
        &self,
        graph: &mut Graph,
        weighted: &Weighted,
        (r, s): (usize, usize),
        x: &SparseRow,
    ) -> ExprId {
        let shared = self.0[r].iter().filter(|unit| self.0[s].contains(unit));
        let shared: Vec<&Unit> = shared.collect();
        let known =
            |entry: &(usize, ExprId)| shared.iter().any(|unit| unit.entries.contains(entry));
        let rest: SparseRow = x.iter().filter(|entry| !known(entry)).copied().collect();
        let rest = weighted.inner(graph, r, &rest);
        let weights = shared.iter().map(|unit| (unit.weight, Number::ONE));
        let terms: Vec<_> = weights.chain([(rest, Number::ONE)]).collect();
        graph.sum(&terms)
    }

    /// What is taken for granted: n·n = 1 of n = d/√u hides that there is no n where u = 0.
    fn conditions(&self) -> Vec<Root> {
        let mut conditions: Vec<(usize, ExprId)> = Vec::new();
        for (row, units) in self.0.iter().enumerate() {
            for unit in units {
                if !conditions.contains(&(row, unit.radicand)) {
                    conditions.push((row, unit.radicand));
                }
            }
        }
        let guard = |(row, positive)| {
            Root::Guard(Guard {
                row,
                pivot: positive,
                diagonal: positive,
                partner: None,
            })
        };
        conditions.into_iter().map(guard).collect()
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

/// Row by row in the order of elimination; rows are counted from `first`.
fn guards(graph: &Graph, factors: &Factors, first: usize) -> Vec<Option<Root>> {
    let guard = |pivot: Pivot| {
        let row = first + pivot.row;
        guard(graph, &Pivot { row, ..pivot })
    };
    factors.pivots().map(guard).collect()
}

/// A pivot that cannot vanish needs no guard.
pub fn guard(graph: &Graph, pivot: &Pivot) -> Option<Root> {
    let certain = graph.is_positive(pivot.pivot);
    (!certain).then(|| Root::Guard(pivot.guard(graph)))
}
