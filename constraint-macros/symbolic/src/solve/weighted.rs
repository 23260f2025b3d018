//! M⁻¹ applied to h and to the rows of J, as M⁻¹ = w W.

use super::row::{ScaledRow, SparseRow, divide_terms};
use super::scaling::{self, Scaled};
use super::sparse::{Factors, Pivot, Sparse, factor};
use crate::expr::{CollectVec, ExprId, Graph, Node, Number, PushEach, SortedMap, sort};
use crate::schedule::{self, Meaning, Root};

/// The inertia of the system.
#[derive(Clone, Copy, Debug)]
pub enum Mass<'a> {
    /// M, and expressions known to be positive: masses, and diagonal entries among them.
    Matrix(&'a Sparse, &'a [ExprId]),
    /// M⁻¹, and M if it is known too.
    Inverse(&'a Sparse, Option<&'a Sparse>),
}

/// Products of M⁻¹ with h and with every row of J.
#[derive(Clone, Debug)]
pub struct Weighted {
    /// M⁻¹ h; empty if only M⁻¹ is given, because it is not needed then.
    pub free: Vec<ExprId>,
    /// W h; `None` if W Jᵀ is known, because (W Jᵀ)ᵀ h takes fewer operations.
    pub(super) weighted_force: Option<Vec<ExprId>>,
    /// W Jᵀ, row by row; entries of J at velocities whose weight is not `Applied`.
    pub(super) rows: Vec<SparseRow>,
    /// W, velocity by velocity.
    pub(super) weights: Vec<Weight>,
    /// True if W couples a velocity to others.
    pub(super) coupled: Vec<bool>,
    /// w: a common factor if all inverse masses are multiples of one, otherwise 1.
    pub common: ExprId,
    /// The elimination of M, if M is not diagonal.
    pub(super) mass: Option<MassFactors>,
    /// M⁻¹, if it is given.
    pub(super) inverse: Option<Sparse>,
}

/// M = D M̂ D/w with M̂ eliminated.
#[derive(Clone, Debug)]
pub struct MassFactors {
    /// M̂, D and 1/w.
    pub scaled: Scaled,
    pub(super) factors: Factors,
    /// Meanings of the right-hand sides in the solution for M⁻¹ h.
    pub(super) sides: Vec<(ExprId, Meaning)>,
}

impl MassFactors {
    /// M̂⁻¹ x
    pub fn solve(&self, graph: &mut Graph, x: &[ExprId]) -> Vec<ExprId> {
        self.factors.solve(graph, x).unknowns
    }

    /// x/d, entry by entry.
    pub fn reduced(&self, graph: &mut Graph, x: &[ExprId]) -> Vec<ExprId> {
        let pairs = x.iter().zip(&self.scaled.scales);
        pairs.map(|(&x, &d)| graph.reduced(x, d)).collect_vec()
    }
}

/// Treatment of W at a velocity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    /// The rows contain it.
    Applied,
    /// It multiplies every term, so that sums can extract what their terms share.
    OfTerm(ExprId),
    /// It multiplies the sum over all velocities that it belongs to.
    OfSum(ExprId),
}

impl Weighted {
    pub(super) fn new(
        graph: &mut Graph,
        mass: Mass<'_>,
        applied: &[ExprId],
        rows: &[ScaledRow],
    ) -> Weighted {
        let rows: Vec<SparseRow> = rows.iter().map(|row| row.jacobian.clone()).collect_vec();
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

    pub(super) fn by_masses(
        graph: &mut Graph,
        mass: &Sparse,
        applied: &[ExprId],
        rows: Vec<SparseRow>,
    ) -> Weighted {
        let one = graph.number(Number::ONE);
        let masses = (0..applied.len()).map(|i| mass.get(i, i).unwrap_or(one));
        let masses: Vec<ExprId> = masses.collect_vec();
        let pairs = masses.iter().zip(applied);
        let free: Vec<ExprId> = pairs.map(|(&m, &h)| divided(graph, h, m)).collect_vec();
        let (common, ratios) = common_mass(graph, &masses);
        let weighted_force = if common == one {
            free.clone()
        } else {
            let pairs = ratios.iter().zip(applied);
            pairs.map(|(&ratio, &h)| graph.mul(ratio, h)).collect_vec()
        };
        Weighted {
            free,
            weighted_force: Some(weighted_force),
            rows,
            coupled: vec![false; ratios.len()],
            weights: ratios.into_iter().map(Weight::OfTerm).collect_vec(),
            common,
            mass: None,
            inverse: None,
        }
    }

    /// M⁻¹ = D⁻¹ M̂⁻¹ D⁻¹/w by elimination of M̂.
    pub(super) fn by_elimination(
        graph: &mut Graph,
        mass: &Sparse,
        positive: &[ExprId],
        applied: &[ExprId],
        rows: &[SparseRow],
    ) -> Weighted {
        let scaled = scaling::scaled(graph, mass, positive);
        let factors = factor(graph, &scaled.mass);
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
                sides.push_each(factors.meanings_of_sides(matrix, &right, &found.forward));
            }
            mass.reduced(graph, &found.unknowns)
        };
        let common = mass.scaled.common;
        let reduced = applied.iter();
        let reduced: Vec<ExprId> = reduced.map(|&h| graph.reduced(h, common)).collect_vec();
        let free = solved(graph, &reduced, true);
        let weighted_force = solved(graph, applied, true);
        let weighted = rows.iter().map(|row| {
            let mut right = vec![graph.zero(); applied.len()];
            row.iter().for_each(|&(i, entry)| right[i] = entry);
            let entries = solved(graph, &right, false).into_iter().enumerate();
            entries.filter(|&(_, x)| !graph.is_zero(x)).collect_vec()
        });
        let rows = weighted.collect_vec();
        mass.sides = sides;
        Weighted {
            free,
            weighted_force: Some(weighted_force),
            rows,
            weights: vec![Weight::Applied; applied.len()],
            coupled: vec![true; applied.len()],
            common: graph.recip(common),
            mass: Some(mass),
            inverse: None,
        }
    }

    /// With M⁻¹ known: if M is diagonal, entries are divided, otherwise multiplied.
    pub(super) fn by_inverse(
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
                .collect_vec(),
        };
        let mut free = Vec::new();
        if mass.is_some() {
            free = vec![graph.zero(); inverse.n];
            for (i, x) in apply(graph, applied.iter().copied().enumerate().collect_vec()) {
                free[i] = x;
            }
        }
        let rows = rows.iter().map(|row| {
            let entries = row.iter().copied();
            let (coupled, plain): (SparseRow, SparseRow) =
                entries.partition(|&(i, _)| weights[i] == Weight::Applied);
            let mut row = apply(graph, coupled);
            row.push_each(plain);
            sort(&mut row);
            row
        });
        Weighted {
            rows: rows.collect_vec(),
            free,
            weighted_force: None,
            weights,
            coupled: columns.iter().map(|column| column.len() > 1).collect_vec(),
            common: graph.number(Number::ONE),
            mass: None,
            inverse: Some(inverse.clone()),
        }
    }

    /// True if at a velocity M⁻¹ h is shorter than W h, or, if no other velocity is coupled to it, than h.
    pub(super) fn prefers_free_motion(&self, graph: &Graph, applied: &[ExprId], i: usize) -> bool {
        let size = |id: ExprId| graph.reachable([id]).len();
        match &self.weighted_force {
            Some(weighted_force) => size(self.free[i]) < size(weighted_force[i]),
            None if self.coupled[i] => false,
            None => self
                .free
                .get(i)
                .is_some_and(|&free| size(free) < size(applied[i])),
        }
    }

    /// aᵀ W x of row r.
    pub(super) fn inner(&self, graph: &mut Graph, r: usize, x: &SparseRow) -> ExprId {
        let x: SortedMap<usize, ExprId> = x.iter().copied().collect();
        let mut terms = Vec::new();
        let mut sums: SortedMap<ExprId, Vec<(ExprId, Number)>> = SortedMap::new();
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

    /// An entry of W Jᵀ times x: a flat product, so that sums can extract the mass that their terms share.
    pub(super) fn times(
        &self,
        graph: &mut Graph,
        (i, entry): (usize, ExprId),
        x: ExprId,
    ) -> ExprId {
        match self.weights[i] {
            Weight::Applied => graph.mul(entry, x),
            Weight::OfTerm(w) | Weight::OfSum(w) => graph.product(&[(w, 1), (entry, 1), (x, 1)]),
        }
    }

    /// The pivots of M, numbered after the rows.
    pub(super) fn guards(&self, graph: &Graph, rows: usize) -> Vec<Root> {
        let mass = self.mass.iter();
        let guards = mass.flat_map(|mass| guards(graph, &mass.factors, rows));
        guards.flatten().collect_vec()
    }
}

/// Meanings of the entries of a matrix.
pub fn entries(matrix: &Sparse, of: schedule::Matrix) -> Vec<(ExprId, Meaning)> {
    let entries = matrix.entries.iter();
    let entries = entries.map(|(&(i, j), &entry)| (entry, Meaning::Entry(of, i, j)));
    entries.collect_vec()
}

/// The entries of a row, term by term.
#[derive(Default)]
pub struct Collected(SortedMap<usize, Vec<(ExprId, Number)>>);

impl Collected {
    /// Adds a term to an entry.
    pub fn add(&mut self, i: usize, entry: ExprId) {
        self.0.entry(i).or_default().push((entry, Number::ONE));
    }

    /// The sums that are not zero.
    pub fn summed(self, graph: &mut Graph) -> SparseRow {
        let rows = self.0.into_iter();
        let mut row: SparseRow = rows.map(|(i, terms)| (i, graph.sum(&terms))).collect_vec();
        row.retain(|&(_, entry)| !graph.is_zero(entry));
        row
    }
}

/// h/m
pub fn divided(graph: &mut Graph, h: ExprId, m: ExprId) -> ExprId {
    match has_sum(graph, m) {
        true => graph.div(h, m),
        // A weight becomes g.
        false => divide_terms(graph, h, m),
    }
}

pub(super) fn has_sum(graph: &Graph, id: ExprId) -> bool {
    let reachable = graph.reachable([id]);
    reachable
        .iter()
        .any(|&id| matches!(graph.node(id), Node::Sum { .. }))
}

/// w and the inverse masses in units of it: numbers if all masses are multiples of one, otherwise w = 1.
pub fn common_mass(graph: &mut Graph, masses: &[ExprId]) -> (ExprId, Vec<ExprId>) {
    let one = graph.number(Number::ONE);
    let first = masses.first().copied().unwrap_or(one);
    let ratios: Vec<ExprId> = masses.iter().map(|&m| graph.div(first, m)).collect_vec();
    if ratios.iter().all(|&ratio| graph.as_number(ratio).is_some()) {
        (graph.recip(first), ratios)
    } else {
        (one, masses.iter().map(|&m| graph.recip(m)).collect_vec())
    }
}

/// The treatment of W at a velocity with this column of W: one factor for all velocities of one inverse mass.
pub(super) fn isotropic(column: &SparseRow, columns: &[SparseRow]) -> Weight {
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

/// Guards in the order of elimination; rows are numbered from `first`.
pub(super) fn guards(graph: &Graph, factors: &Factors, first: usize) -> Vec<Option<Root>> {
    let guard = |pivot: Pivot| {
        let row = first + pivot.row;
        guard(graph, &Pivot { row, ..pivot })
    };
    factors.pivots().map(guard).collect_vec()
}

/// The guard of a pivot; `None` if the pivot cannot vanish.
pub fn guard(graph: &Graph, pivot: &Pivot) -> Option<Root> {
    let certain = graph.is_positive(pivot.pivot);
    (!certain).then(|| Root::Guard(pivot.guard(graph)))
}
