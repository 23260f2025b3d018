//! J and M⁻¹ Jᵀ, one constraint after the other, those of one shape in loops: the rows that impulses are swept by.

use std::ops::Range;

use super::leaves::leaves;
use super::rolling::Rolling;
use super::routine::{Kernel, Read, Routine, Signature, Slot, Stage, Write, output};
use crate::expr::{ExprId, Graph, Map};
use crate::families::indices_of;
use crate::model::RowName;
use crate::solve::SparseRow;

/// J and M⁻¹ Jᵀ of the constraints of one shape.
pub(super) struct Response {
    reads: Vec<Read>,
    /// Which of the velocities of what it speaks of have an entry in either.
    among: Vec<usize>,
    /// Their entries of J, row by row, then those of M⁻¹ Jᵀ.
    entries: Vec<ExprId>,
}

impl Response {
    pub(super) fn of(
        graph: &mut Graph,
        reads: Vec<Read>,
        velocities: &[usize],
        jacobian: &[SparseRow],
        weighted: &[SparseRow],
    ) -> Response {
        let rows = || jacobian.iter().chain(weighted);
        let is_read = |c: usize| rows().flatten().any(|&(other, _)| other == c);
        let among = (0..velocities.len()).filter(|&k| is_read(velocities[k]));
        let among: Vec<usize> = among.collect();
        let zero = graph.zero();
        let entry = |row: &SparseRow, k: usize| {
            let found = row.iter().find(|&&(c, _)| c == velocities[k]);
            found.map_or(zero, |&(_, entry)| entry)
        };
        let entries =
            rows().flat_map(|row| among.iter().map(|&k| entry(row, k)).collect::<Vec<_>>());
        Response {
            entries: entries.collect(),
            reads,
            among,
        }
    }

    /// The kernel of a constraint, whose velocities stand from an index on.
    fn kernel(&self, first: usize) -> Kernel {
        let block = Write::Block {
            first,
            velocities: self.among.len(),
        };
        let others = self.entries.iter().skip(1).map(|_| Write::Blocked);
        Kernel {
            reads: self.reads.clone(),
            roots: self.entries.clone(),
            writes: [block].into_iter().chain(others).collect(),
        }
    }
}

/// The responses that are known, by what constraints have in common that share one.
#[derive(Default)]
pub(super) struct Responses(Map<Vec<usize>, Response>);

impl Responses {
    /// Adds a constraint that speaks of some velocities; its response is made where it is the first of its kind.
    pub(super) fn push(
        &mut self,
        stage: &mut Stage<'_>,
        signature: Signature,
        velocities: &[usize],
        make: impl FnOnce(&[Slot]) -> Response,
    ) {
        let Signature { words, slots } = signature;
        let response = self.0.entry(words.clone());
        let response = response.or_insert_with(|| make(&slots));
        let mut indices = indices_of(&slots);
        indices.extend(response.among.iter().map(|&k| velocities[k]));
        stage.push(words, indices, || response.kernel(slots.len()));
    }
}

impl Rolling<'_> {
    /// J, and of each entry the same over its mass.
    pub(super) fn responses(&mut self) -> Routine {
        let mut known = Responses::default();
        Routine::of(|stage| {
            for rows in RowName::constraints(&self.system.rows) {
                let mut signature = Signature::default();
                signature.words.push(rows.len());
                // In the order in which the rows speak of them, which members of families share.
                let mut velocities: Vec<usize> = Vec::new();
                for r in rows.clone() {
                    self.sign_row(&mut signature, r);
                    for c in self.rows.records(r) {
                        if !velocities.contains(&c) {
                            velocities.push(c);
                        }
                    }
                }
                for &c in &velocities {
                    self.sign_ratio(&mut signature, c);
                }
                known.push(stage, signature, &velocities, |slots| {
                    self.response(rows, self.reads_of(slots), &velocities)
                });
            }
        })
    }

    /// M⁻¹ h
    pub(super) fn free(&self) -> Routine {
        let (graph, free) = (&self.derivation.graph, &self.free);
        Routine::of_members(
            graph,
            &leaves(graph, self.system),
            &free.families,
            &free.values,
            |i| i,
            output,
        )
    }

    fn response(&mut self, rows: Range<usize>, reads: Vec<Read>, velocities: &[usize]) -> Response {
        let jacobian: Vec<SparseRow> = rows.map(|r| self.row(r).jacobian.clone()).collect();
        let graph = &mut self.derivation.graph;
        let weighted = jacobian.iter().map(|row| {
            let weighted = row.iter().map(|&(c, entry)| {
                let weight = graph.mul(self.ratios[c], self.common);
                (c, graph.mul(weight, entry))
            });
            weighted.collect()
        });
        let weighted: Vec<SparseRow> = weighted.collect();
        Response::of(
            &mut self.derivation.graph,
            reads,
            velocities,
            &jacobian,
            &weighted,
        )
    }
}
