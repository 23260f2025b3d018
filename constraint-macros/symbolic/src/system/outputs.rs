//! Outputs, which users name: expressions of t, q, v, and of λ and v̇ if these are solved for.

use crate::dynamics::Equations;
use crate::expr::{CollectVec, ExprId, Map, Node};
use crate::model::{Role, System};
use crate::solve::{Computed, Form, Quantity};

/// The outputs of a system that is written out: of λ and v̇ what they are, of one that asks for neither nothing is
/// solved.
pub fn computed(system: &mut System, equations: &Equations, form: &Form) -> Computed {
    let outputs = &equations.outputs;
    let asked = asked(system, outputs);
    let solved = form.get(&Quantity::AccelerationAndMultipliers);
    let Some(solved) = solved.filter(|_| !asked.is_empty()) else {
        return Computed::plain(outputs.clone());
    };
    let rates = system.coordinates.len();
    let map: Map<ExprId, ExprId> = asked
        .into_iter()
        .filter_map(|(leaf, of)| {
            let place = match of {
                Solved::Acceleration(i) => i,
                Solved::Multiplier(row) => rates + row,
            };
            Some((leaf, *solved.outputs.get(place)?))
        })
        .collect();
    let graph = &mut system.model.graph;
    let map = graph.substitute(outputs.iter().copied(), map);
    Computed {
        outputs: outputs.iter().map(|output| map[output]).collect_vec(),
        ..solved.clone()
    }
}

/// A leaf of an output that is solved for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solved {
    /// An entry of v̇.
    Acceleration(usize),
    /// An entry of λ.
    Multiplier(usize),
}

/// The leaves of λ and of v̇ that outputs contain.
pub fn asked(system: &System, outputs: &[ExprId]) -> Vec<(ExprId, Solved)> {
    let (graph, symbols) = (&system.model.graph, &system.model.symbols);
    let leaves = graph.reachable(outputs.iter().copied()).into_iter();
    let asked = leaves.filter_map(|id| {
        let Node::Symbol(symbol) = graph.node(id) else {
            return None;
        };
        match symbols.get(symbol.index())?.role {
            Role::Acceleration(i) => Some((id, Solved::Acceleration(i))),
            Role::Reaction(row) => Some((id, Solved::Multiplier(row))),
            _ => None,
        }
    });
    asked.collect_vec()
}
