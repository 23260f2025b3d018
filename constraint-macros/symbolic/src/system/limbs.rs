//! Equal limbs in loops, where that pays.

use super::choice::{MOST_OPERATIONS, sizes};
use super::loops::limbs::Limbs;
use super::loops::routine::{Routine, Write};
use crate::dynamics::Equations;
use crate::expr::{CollectVec, Graph};
use crate::model::System;
use crate::schedule::{self, Root};
use crate::solve::{Form, Quantity};

/// Loops do not share what only some of the limbs have in common: of so many operations they may take one more.
const MOST_LOST: u32 = 10;

/// The quantities that are in loops over equal limbs.
pub(super) fn limbs(system: &mut System, equations: &Equations, form: &Form) -> Limbs {
    if system.options.is_written_out() {
        return Limbs::default();
    }
    let Some((mut limbs, with_numbers)) = Limbs::of(system, equations) else {
        return Limbs::default();
    };
    let graph = &with_numbers.model.graph;
    limbs.routines.retain(|quantity, routine| {
        let written = written(graph, form, *quantity);
        let (executed, code) = sizes(graph, routine);
        let executed = executed + added(routine);
        let pays = executed > MOST_OPERATIONS && 2 * code < executed;
        pays && executed <= written + written / MOST_LOST
    });
    if limbs.routines.is_empty() {
        return Limbs::default();
    }
    *system = with_numbers;
    limbs
}

/// The additions to sums.
fn added(routine: &Routine) -> u32 {
    let items = routine
        .loops
        .iter()
        .flat_map(|it| it.body.iter().map(|item| (it.rounds, item.0)));
    let added = items.map(|(rounds, kernel)| {
        let writes = routine.kernels[kernel].writes.iter();
        rounds * writes.filter(|it| matches!(it, Write::Add(..))).count()
    });
    added.sum::<usize>() as u32
}

/// The operations of a quantity that is written out.
fn written(graph: &Graph, form: &Form, quantity: Quantity) -> u32 {
    let computed = form.get(&quantity).into_iter();
    let roots: Vec<Root> = computed.flat_map(|it| it.roots()).collect_vec();
    schedule::count(graph, &roots).total()
}
