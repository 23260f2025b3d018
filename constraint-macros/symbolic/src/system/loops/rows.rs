//! Rows and energies, which need no solution, those of one shape in loops.

use super::rolling::Rolling;
use super::routine::{Array, Kernel, Routine, Signature, Slot, Write};
use crate::dynamics::{Derivation, Row};
use crate::expr::{ExprId, Graph, Number};
use crate::families::indices_of;
use crate::model::System;
use crate::solve::{Quantity, Sparse};
use crate::system::accelerations::accelerations;

impl Rolling<'_> {
    /// One result per row.
    pub(super) fn per_row(&mut self, result: impl Fn(&mut Rolling<'_>, &Row) -> ExprId) -> Routine {
        Routine::of(|stage| {
            for r in 0..self.rows.of.len() {
                let mut signature = Signature::default();
                self.sign_row(&mut signature, r);
                let Signature { words, slots } = signature;
                let output = slots.len();
                let mut indices = indices_of(&slots);
                indices.push(r);
                stage.push(words, indices, || {
                    let row = self.row(r).clone();
                    Kernel {
                        reads: self.reads_of(&slots),
                        roots: vec![result(self, &row)],
                        writes: vec![Write::Set(Array::Output, output)],
                    }
                });
            }
        })
    }

    /// J, entry by entry, in an array of columns: row + rows·coordinate.
    pub(super) fn jacobian(&mut self) -> Routine {
        let count = self.rows.of.len();
        Routine::of(|stage| {
            for r in 0..count {
                let mut signature = Signature::default();
                self.sign_row(&mut signature, r);
                let Signature { words, slots } = signature;
                let mut indices = indices_of(&slots);
                indices.extend(self.rows.records(r).map(|c| r + count * c));
                stage.push(words, indices, || self.entries(r, &slots));
            }
        })
    }

    /// The row's entries of J, to the places that follow the slots, one for each coordinate.
    fn entries(&mut self, r: usize, slots: &[Slot]) -> Kernel {
        let coordinates: Vec<usize> = self.rows.records(r).collect();
        let place = |c| coordinates.iter().position(|&other| other == c);
        let row = self.row(r).jacobian.iter();
        let entries: Vec<(usize, ExprId)> = row
            .filter_map(|&(c, entry)| Some((slots.len() + place(c)?, entry)))
            .collect();
        let writes = entries.iter();
        Kernel {
            reads: self.reads_of(slots),
            roots: entries.iter().map(|&(_, entry)| entry).collect(),
            writes: writes
                .map(|&(place, _)| Write::Set(Array::Output, place))
                .collect(),
        }
    }
}

/// T, summed term by term, M a, and M a − h.
pub(super) fn of_coordinates(
    graph: &mut Graph,
    system: &mut System,
    kinetic: &[ExprId],
    mass: &Sparse,
    applied: &[ExprId],
) -> [(Quantity, Routine); 3] {
    let given = accelerations(graph, &mut system.model.symbols, applied.len());
    let mut terms = mass.products(graph, &given);
    let resisting: Vec<ExprId> = terms.iter().map(|terms| graph.sum(terms)).collect();
    for (terms, &applied) in terms.iter_mut().zip(applied) {
        terms.push((applied, Number::MINUS_ONE));
    }
    let missing: Vec<ExprId> = terms.iter().map(|terms| graph.sum(terms)).collect();
    let each = |results: &[ExprId]| Routine::of_each(graph, system, results);
    [
        (Quantity::MassTimes, each(&resisting)),
        (Quantity::InverseDynamics, each(&missing)),
        (
            Quantity::KineticEnergy,
            Routine::summed(graph, system, kinetic),
        ),
    ]
}

/// The terms of T.
pub(super) fn kinetic_terms(derivation: &mut Derivation, system: &System) -> Vec<ExprId> {
    let terms = derivation.kinetic_terms(system).into_iter();
    terms.map(|term| derivation.graph.sum(&[term])).collect()
}
