//! Numbers that members of a family differ by, as elements of one array.
//!
//! ```text
//! norm(bob[0] - [3, 0]) == l,  norm(bob[1] - [4, 0]) == l, …      hook = [3, 4, …],  norm(bob[i] - [hook[i], 0]) == l
//! ```
//! Input: a system. Output: the system with leaves for those numbers ([`families::numbers`](crate::families::numbers)).

use super::leaves::leaves;
use crate::expr::{ExprId, Graph, Number, PushEach};
use crate::families::numbers::lift;
use crate::model::{Model, PosedBody, Role, Symbol, System};

/// The system with numbers that its expressions differ by as elements of an array; `None` if there are none.
pub fn lifted(system: &System) -> Option<System> {
    let mut lifted = system.clone();
    let mut roots: Vec<&mut ExprId> = Vec::new();
    let System {
        model,
        kinetic,
        places,
        masses,
        posed,
        potential,
        dissipation,
        forces,
        observed,
        ..
    } = &mut lifted;
    let Model {
        rows,
        graph,
        symbols,
        ..
    } = model;
    roots.push_each(rows.iter_mut().map(|row| &mut row.root));
    roots.push_each(potential.iter_mut().chain(dissipation));
    roots.push_each(forces.iter_mut().flat_map(|force| &mut force.value));
    roots.push_each(observed);
    // Of rows and of points with coordinates of their own, masses that differ in numbers remain of different families.
    if system.model.rows.is_empty() || !(places.is_empty() && posed.is_empty()) {
        roots.push_each(kinetic.iter_mut().map(|(term, _)| term));
        roots.push_each(places.iter_mut().map(|(_, place)| place));
        roots.push_each(
            masses
                .iter_mut()
                .flat_map(|it| it.place.iter_mut().chain([&mut it.mass])),
        );
        roots.push_each(posed.iter_mut().flat_map(PosedBody::expressions_mut));
    }
    let leaf = |graph: &mut Graph, i: usize, number: Number| leaf(graph, symbols, i, number);
    let original = leaves(graph, system);
    lifted.numbers = lift(graph, &original, roots, leaf);
    (!lifted.numbers.is_empty()).then_some(lifted)
}

/// The leaf of the i-th number of the array.
pub(super) fn leaf(
    graph: &mut Graph,
    symbols: &mut Vec<Symbol>,
    i: usize,
    number: Number,
) -> ExprId {
    let value = number.to_f64();
    let name = if value < 0.0 {
        format!("({value})")
    } else {
        value.to_string()
    };
    graph.symbol(Symbol::add(symbols, Role::Number(i), name))
}
