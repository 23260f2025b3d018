//! Rows that follow from others, found by evaluating J at scattered points.

use super::loops::Rolled;
use super::loops::routine::Slot;
use crate::check;
use crate::diagnostic::{Diagnostics, system as messages};
use crate::dynamics::Equations;
use crate::expr::{CollectVec, ExprId, Map, Node, SymbolId};
use crate::model::{Role, System};
use crate::schedule::{self, Program, Root};

/// Reports a row whose gradient is a combination of those of others; `None` where there is one.
pub fn check(
    system: &System,
    equations: &Equations,
    rolled: Option<&Rolled>,
    diagnostics: &mut Diagnostics,
) -> Option<()> {
    let found = match rolled {
        Some(rolled) => of_families(system, rolled),
        None => {
            let rows = equations.rows.iter().map(|row| row.jacobian.clone());
            check::dependence(&system.model.graph, &rows.collect_vec())
        }
    };
    let Some((row, others)) = found else {
        return Some(());
    };
    let name = |row: usize| system.rows.get(row).map(ToString::to_string);
    let others: Vec<String> = others.into_iter().filter_map(name).collect_vec();
    let range = system.model.rows[row].range;
    let name = name(row).unwrap_or_default();
    diagnostics.push(messages::dependent_rows(range, &name, &others));
    None
}

/// The gradient of a family's first row, and the leaves that stand for each of its slots.
struct Gradient {
    program: Program,
    slot_of: Map<SymbolId, (usize, bool)>,
}

fn of_families(system: &System, rolled: &Rolled) -> Option<(usize, Vec<usize>)> {
    let families = &rolled.families;
    let gradients: Vec<Gradient> = rolled
        .rows
        .iter()
        .map(|(first, row)| gradient(system, &families.slots[*first], &row.jacobian))
        .collect_vec();
    let count = families.of.len();
    check::dependence_of(&|point| {
        (0..count)
            .map(|row| {
                let gradient = &gradients[families.of[row]];
                let values = values(system, &families.slots[row], gradient, point);
                rolled.columns[row].iter().copied().zip(values).collect()
            })
            .collect()
    })
}

fn gradient(system: &System, slots: &[Slot], jacobian: &[(usize, ExprId)]) -> Gradient {
    let graph = &system.model.graph;
    let roots: Vec<Root> = jacobian.iter().map(|&(_, e)| Root::Output(e)).collect_vec();
    let mut slot_of = Map::default();
    for (number, &slot) in slots.iter().enumerate() {
        for moving in [false, true] {
            let symbol = leaf(system, slot, moving);
            slot_of.extend(symbol.map(|symbol| (symbol, (number, moving))));
        }
    }
    Gradient {
        program: schedule::schedule(graph, &roots, &[], &|symbol| symbol.index().to_string()),
        slot_of,
    }
}

/// The gradient of one row: the first row's, at the places of this one.
fn values(system: &System, slots: &[Slot], gradient: &Gradient, point: u64) -> Vec<f64> {
    gradient.program.evaluate(|symbol| {
        let own = gradient
            .slot_of
            .get(&symbol)
            .and_then(|&(slot, moving)| leaf(system, slots[slot], moving));
        let symbol = own.unwrap_or(symbol);
        match system.model.symbols[symbol.index()].role {
            Role::Number(i) => system.numbers[i].to_f64(),
            _ => check::sample(point, symbol),
        }
    })
}

/// The leaf of a slot: of a coordinate itself, or its velocity where it is asked for what is `moving`.
fn leaf(system: &System, slot: Slot, moving: bool) -> Option<SymbolId> {
    let leaf = match slot {
        Slot::Element(symbol, ..) => return (!moving).then_some(symbol),
        Slot::Record(c) if moving => system.coordinates[c].velocity,
        Slot::Record(c) => system.coordinates[c].position?,
    };
    match system.model.graph.node(leaf) {
        Node::Symbol(symbol) => Some(*symbol),
        _ => None,
    }
}
