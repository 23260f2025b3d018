//! Quantities of coordinates that need no solution, those of one shape in loops.

use super::routine::Routine;
use crate::dynamics::Derivation;
use crate::dynamics::accelerations;
use crate::expr::{CollectVec, ExprId, Graph, Number};
use crate::model::System;
use crate::solve::{Quantity, Sparse};

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
    let resisting: Vec<ExprId> = terms.iter().map(|terms| graph.sum(terms)).collect_vec();
    for (terms, &applied) in terms.iter_mut().zip(applied) {
        terms.push((applied, Number::MINUS_ONE));
    }
    let missing: Vec<ExprId> = terms.iter().map(|terms| graph.sum(terms)).collect_vec();
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
    terms
        .map(|term| derivation.graph.sum(&[term]))
        .collect_vec()
}
