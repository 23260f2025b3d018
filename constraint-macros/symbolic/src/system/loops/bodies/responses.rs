//! J and M⁻¹ Jᵀ of the constraints between bodies.

use std::ops::Range;

use super::super::responses::{Response, Responses};
use super::super::routine::{Read, Routine, Signature};
use super::derivation::Bodies;
use super::structure;
use crate::model::RowName;
use crate::solve::SparseRow;

impl Bodies<'_> {
    /// J, and each row of it through M⁻¹ of every body that it speaks of, in the world's frame.
    pub(super) fn responses(&mut self) -> Routine {
        let mut known = Responses::default();
        Routine::of(|stage| {
            for rows in RowName::constraints(&self.system.rows) {
                let elements = self.structure.joint(&self.rows, rows.clone()).elements;
                let signature = self.sign_response(rows.clone(), &elements);
                let velocities = elements.iter();
                let velocities =
                    velocities.flat_map(|&e| self.structure.elements[e].columns.clone());
                let velocities: Vec<usize> = velocities.collect();
                known.push(stage, signature, &velocities, |slots| {
                    self.response(rows, self.reads_of(slots), (&elements, &velocities))
                });
            }
        })
    }

    /// The rows, and what is moved by them.
    fn sign_response(&self, rows: Range<usize>, elements: &[usize]) -> Signature {
        let mut signature = Signature::default();
        signature.words.extend([rows.len(), elements.len()]);
        for r in rows {
            signature.member(&self.rows, r);
        }
        for &e in elements {
            let element = &self.structure.elements[e];
            let own = structure::own_slots(&self.derivation.graph, self.system, element);
            signature.words.extend([element.columns.len(), own.len()]);
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
        let jacobian: Vec<SparseRow> = rows.clone().map(|r| self.row(r).jacobian.clone()).collect();
        let mut weighted = vec![SparseRow::new(); rows.len()];
        for &e in elements {
            let local = self.local(e);
            for (a, r) in self.rows_of(e).into_iter().enumerate() {
                if !rows.contains(&r) {
                    continue;
                }
                let pushed = self.weighted(&local, &local.jacobian[a]);
                let content = self.row(r).scaled.content;
                for (c, entry) in self.in_world(&local, &pushed) {
                    let entry = self.graph().mul(content, entry);
                    weighted[r - rows.start].push((c, entry));
                }
            }
        }
        Response::of(self.graph(), reads, velocities, &jacobian, &weighted)
    }
}
