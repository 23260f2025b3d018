//! Unit vectors among the entries of rows: n·n = 1 in J W Jᵀ.

use super::row::{ScaledRow, SparseRow};
use super::weighted::{Weight, Weighted};
use crate::expr::{CollectVec, ExprId, Graph, Number, SortedMap};
use crate::schedule::{Guard, Root};

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
pub(super) struct Units(Vec<Vec<Unit>>);

impl Units {
    pub(super) fn of(graph: &Graph, rows: &[ScaledRow], weighted: &Weighted) -> Units {
        let of_row = |row: &ScaledRow| {
            let mut groups: SortedMap<ExprId, SparseRow> = SortedMap::new();
            for &(i, entry) in &row.jacobian {
                if let Weight::OfSum(weight) = weighted.weights[i] {
                    groups.entry(weight).or_default().push((i, entry));
                }
            }
            let unit = |(weight, entries): (ExprId, SparseRow)| {
                let vector: Vec<ExprId> = entries.iter().map(|&(_, entry)| entry).collect_vec();
                let radicand = graph.unit_radicand(&vector)?;
                Some(Unit {
                    entries,
                    radicand,
                    weight,
                })
            };
            groups.into_iter().filter_map(unit).collect_vec()
        };
        Units(rows.iter().map(of_row).collect_vec())
    }

    /// aᵀ W x of rows r and s, with n·n = 1 for every unit vector that both contain.
    pub(super) fn inner(
        &self,
        graph: &mut Graph,
        weighted: &Weighted,
        (r, s): (usize, usize),
        x: &SparseRow,
    ) -> ExprId {
        let shared = self.0[r].iter().filter(|unit| self.0[s].contains(unit));
        let shared: Vec<&Unit> = shared.collect_vec();
        let known =
            |entry: &(usize, ExprId)| shared.iter().any(|unit| unit.entries.contains(entry));
        let rest: SparseRow = x
            .iter()
            .filter(|entry| !known(entry))
            .copied()
            .collect_vec();
        let rest = weighted.inner(graph, r, &rest);
        let weights = shared.iter().map(|unit| (unit.weight, Number::ONE));
        let terms: Vec<_> = weights.chain([(rest, Number::ONE)]).collect_vec();
        graph.sum(&terms)
    }

    /// Guards u > 0 for the unit vectors n = d/√u: n·n = 1 would hide that n does not exist at u = 0.
    pub(super) fn conditions(&self) -> Vec<Root> {
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
        conditions.into_iter().map(guard).collect_vec()
    }
}
