//! M of the coordinates that it couples, eliminated alone, with the checks of its pivots.

use super::routine::Write;
use crate::dynamics::Derivation;
use crate::expr::{CollectVec, ExprId, Graph, Number};
use crate::schedule::{Matrix, Root};
use crate::solve::{self, Mass, Schur, Sparse, guard};

/// A pivot to be checked.
#[derive(Clone, Debug)]
pub(super) struct Pivot {
    /// Of which coordinate of the block.
    pub row: usize,
    /// It, or its product with the pivot before.
    pub pivot: ExprId,
    /// The scale by which it is judged.
    pub scale: ExprId,
}

impl Pivot {
    fn of(graph: &mut Graph, root: &Root) -> Option<Pivot> {
        let Root::Guard(guard) = *root else {
            return None;
        };
        let scale = match guard.partner {
            Some(partner) => graph.mul(guard.diagonal, partner),
            None => guard.diagonal,
        };
        Some(Pivot {
            row: guard.row,
            pivot: guard.pivot,
            scale,
        })
    }

    /// That of a coordinate alone; `None` where it cannot vanish.
    pub fn alone(graph: &mut Graph, divisor: ExprId) -> Option<Pivot> {
        let root = guard(graph, &solve::Pivot::diagonal(0, divisor))?;
        Pivot::of(graph, &root)
    }

    /// What a kernel writes of it, the index of its row at that place.
    pub fn check(&self, place: usize) -> [(ExprId, Write); 2] {
        [
            (self.pivot, Write::Pivot(Matrix::Mass, place)),
            (self.scale, Write::Diagonal),
        ]
    }
}

/// M⁻¹ and M⁻¹ h of one block.
pub(super) struct EliminatedMass {
    pub pivots: Vec<Pivot>,
    /// M⁻¹ h
    pub free: Vec<ExprId>,
    schur: Schur,
}

impl EliminatedMass {
    pub fn of(
        graph: &mut Graph,
        mass: &Sparse,
        block: &[usize],
        applied: &[ExprId],
        positive: &[ExprId],
    ) -> EliminatedMass {
        let place = |i: usize| block.partition_point(|&other| other < i);
        let mut own = Sparse {
            n: block.len(),
            ..Sparse::default()
        };
        for (a, &i) in block.iter().enumerate() {
            let row = mass.entries.between(&(i, 0), &(i, i));
            own.entries
                .extend(row.map(|(&(_, j), &entry)| ((a, place(j)), entry)));
        }
        let applied: Vec<ExprId> = block.iter().map(|&i| applied[i]).collect_vec();
        let schur = Schur::new(graph, Mass::Matrix(&own, positive), &applied, Vec::new());
        let pivots = schur.guards().iter();
        EliminatedMass {
            pivots: pivots
                .filter_map(|root| Pivot::of(graph, root))
                .collect_vec(),
            free: schur.weighted.free.clone(),
            schur,
        }
    }

    /// M⁻¹, column by column; of a coordinate alone it is not needed.
    pub fn inverse(&self, graph: &mut Graph) -> Vec<Vec<ExprId>> {
        let Some(mass) = self.schur.mass_factors() else {
            return Vec::new();
        };
        let n = self.free.len();
        let (zero, common) = (graph.zero(), self.schur.weighted.common);
        let columns = (0..n).map(|j| {
            let mut unit = vec![zero; n];
            unit[j] = graph.number(Number::ONE);
            let right = mass.reduced(graph, &unit);
            let solved = mass.solve(graph, &right);
            let column = mass.reduced(graph, &solved).into_iter();
            column.map(|entry| graph.mul(common, entry)).collect_vec()
        });
        columns.collect_vec()
    }
}

/// Whether the entry of M of a coordinate alone is positive whenever what is checked before a run is.
pub(super) fn is_certain(
    derivation: &Derivation,
    positive: &[ExprId],
    coordinate: usize,
    entry: ExprId,
) -> bool {
    derivation.is_known_positive(coordinate) || positive.contains(&entry)
}
