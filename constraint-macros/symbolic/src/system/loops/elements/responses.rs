//! J and M⁻¹ Jᵀ, one constraint after the other, those of one shape in loops: the rows that impulses are swept by.

use std::ops::Range;

use super::super::eliminated_mass::Pivot;
use super::super::routine::{Kernel, Read, Routine, Signature, Slot, Stage, Write};
use super::derivation::Elements;
use super::structure;
use crate::expr::{CollectVec, ExprId, Graph, Map, PushEach};
use crate::families::indices_of;
use crate::model::RowName;
use crate::solve::SparseRow;

/// J and M⁻¹ Jᵀ of the constraints of one shape.
struct Response {
    reads: Vec<Read>,
    /// Which of the velocities of what it speaks of have an entry in either.
    among: Vec<usize>,
    /// Their entries of J, row by row, then those of M⁻¹ Jᵀ.
    entries: Vec<ExprId>,
    /// The pivots of M to be checked before, their rows among those velocities.
    pivots: Vec<Pivot>,
}

impl Response {
    fn of(
        graph: &mut Graph,
        reads: Vec<Read>,
        velocities: &[usize],
        jacobian: &[SparseRow],
        weighted: &[SparseRow],
    ) -> Response {
        let rows = || jacobian.iter().chain(weighted);
        let is_read = |c: usize| rows().flatten().any(|&(other, _)| other == c);
        let among = (0..velocities.len()).filter(|&k| is_read(velocities[k]));
        let among: Vec<usize> = among.collect_vec();
        let zero = graph.zero();
        let entry = |row: &SparseRow, k: usize| {
            let found = row.iter().find(|&&(c, _)| c == velocities[k]);
            found.map_or(zero, |&(_, entry)| entry)
        };
        let entries = rows().flat_map(|row| among.iter().map(|&k| entry(row, k)).collect_vec());
        Response {
            entries: entries.collect_vec(),
            reads,
            among,
            pivots: Vec::new(),
        }
    }

    /// The kernel of a constraint, whose pivots and velocities stand from an index on.
    fn kernel(&self, first: usize) -> Kernel {
        let checks = self.pivots.iter().zip(first..);
        let checks: Vec<_> = checks.flat_map(|(it, place)| it.check(place)).collect_vec();
        let (mut roots, mut writes): (Vec<ExprId>, Vec<Write>) = checks.into_iter().unzip();
        let first = first + self.pivots.len();
        let block = Write::Block {
            first,
            velocities: self.among.len(),
        };
        let others = self.entries.iter().skip(1).map(|_| Write::Blocked);
        roots.extend(&self.entries);
        writes.push_each([block].into_iter().chain(others));
        Kernel {
            reads: self.reads.clone(),
            roots,
            writes,
        }
    }
}

/// The responses that are known, by what constraints have in common that share one.
#[derive(Default)]
struct Responses(Map<Vec<usize>, Response>);

impl Responses {
    /// Adds a constraint, one of so many rows, that speaks of some velocities; its response is made where it is the first of its kind.
    fn push(
        &mut self,
        stage: &mut Stage<'_>,
        signature: Signature,
        (rows, velocities): (usize, &[usize]),
        make: impl FnOnce(&[Slot]) -> Response,
    ) {
        let Signature { words, slots } = signature;
        let response = self.0.entry(words.clone());
        let response = response.or_insert_with(|| make(&slots));
        let mut indices = indices_of(&slots);
        let pivots = response.pivots.iter();
        indices.push_each(pivots.map(|it| rows + velocities[it.row]));
        indices.push_each(response.among.iter().map(|&k| velocities[k]));
        stage.push(words, indices, || response.kernel(slots.len()));
    }
}

impl Elements<'_> {
    /// J, and each row of it through M⁻¹ of every body that it speaks of, in the world's frame.
    pub(super) fn responses(&mut self) -> Routine {
        let (mut known, count) = (Responses::default(), self.rows.of.len());
        Routine::of(|stage| {
            for rows in RowName::constraints(&self.system.rows) {
                let elements = self.structure.joint(&self.rows, rows.clone()).elements;
                let signature = self.sign_response(rows.clone(), &elements);
                let velocities = elements.iter();
                let velocities =
                    velocities.flat_map(|&e| self.structure.elements[e].columns.clone());
                let velocities: Vec<usize> = velocities.collect_vec();
                known.push(stage, signature, (count, &velocities), |slots| {
                    self.response(rows, self.reads_of(slots), (&elements, &velocities))
                });
            }
        })
    }

    /// The rows, and what is moved by them.
    fn sign_response(&self, rows: Range<usize>, elements: &[usize]) -> Signature {
        let mut signature = Signature::default();
        signature.words.push_each([rows.len(), elements.len()]);
        for r in rows {
            signature.member(&self.rows, r);
        }
        for &e in elements {
            let element = &self.structure.elements[e];
            let own = structure::own_slots(&self.derivation.graph, self.system, element);
            signature
                .words
                .push_each([element.columns.len(), own.len()]);
            own.into_iter().for_each(|slot| signature.slot(slot));
            self.sign_mass(&mut signature, e);
        }
        signature
    }

    fn response(
        &mut self,
        rows: Range<usize>,
        reads: Vec<Read>,
        (elements, velocities): (&[usize], &[usize]),
    ) -> Response {
        let jacobian: Vec<SparseRow> = rows
            .clone()
            .map(|r| self.row(r).jacobian.clone())
            .collect_vec();
        let mut weighted = vec![SparseRow::new(); rows.len()];
        let mut pivots = Vec::new();
        for &e in elements {
            let local = self.local(e);
            let own = local.mass.pivots.iter().cloned();
            pivots.push_each(own.map(|it| Pivot {
                row: velocities.iter().position(|&c| c == it.row).unwrap_or(0),
                ..it
            }));
            for r in rows.clone() {
                let scaled = self.row(r).scaled.clone();
                let columns = &self.structure.elements[e].columns;
                let here = scaled.jacobian.iter();
                let here: SparseRow = here
                    .filter(|it| columns.contains(&it.0))
                    .copied()
                    .collect_vec();
                let pushed = self.weighted(&local, &here);
                let (content, common) = (scaled.content, self.common());
                let unit = self.graph().mul(content, common);
                for (c, entry) in self.in_world(&local, &pushed) {
                    let entry = self.graph().mul(unit, entry);
                    weighted[r - rows.start].push((c, entry));
                }
            }
        }
        let made = Response::of(self.graph(), reads, velocities, &jacobian, &weighted);
        Response { pivots, ..made }
    }
}
