//! Quantities with the roots, names and guards that their programs need, for constraints and systems alike.

use super::quantity::Quantity;
use super::schur::Multipliers;
use crate::expr::{CollectVec, ExprId, Graph, PushEach, SortedMap, SymbolId};
use crate::schedule::{self, Meanings, Program, Root};

/// A quantity as expressions, with the order in which its parts are computed.
#[derive(Clone, Debug, Default)]
pub struct Computed {
    /// Its entries.
    pub outputs: Vec<ExprId>,
    /// Guards and intermediate results, in the order of computation.
    pub order: Vec<Root>,
    /// Names of the intermediate results.
    pub names: Vec<(ExprId, String)>,
    /// The multipliers of the scaled rows, if there are any.
    pub unknowns: Vec<ExprId>,
}

/// All quantities, in one of the forms that may be cheapest.
pub type Form = SortedMap<Quantity, Computed>;

/// The cheapest known program that computes the quantities in one of the forms, with outputs in their order, the
/// user's names, and names from the derivation for other values.
pub fn program(
    graph: &Graph,
    forms: &[Form],
    names: &[(ExprId, String)],
    meanings: Meanings<'_>,
    quantities: &[Quantity],
    symbol_name: &dyn Fn(SymbolId) -> String,
) -> Program {
    let mut tried: Vec<Vec<ExprId>> = Vec::new();
    let forms = forms.iter().filter_map(|form| {
        let computed = || quantities.iter().filter_map(|quantity| form.get(quantity));
        let roots: Vec<Root> = computed().flat_map(Computed::roots).collect_vec();
        let all = roots.iter().flat_map(|root| root.values());
        let all: Vec<ExprId> = all.collect_vec();
        if tried.contains(&all) {
            return None;
        }
        tried.push(all);
        let mut names = names.to_vec();
        names.push_each(computed().flat_map(|it| it.names.clone()));
        Some((roots, names))
    });
    schedule::cheapest(graph, forms, meanings, symbol_name)
}

/// The form that takes the fewest operations once the roots in `before` are computed.
pub fn cheapest_after(
    graph: &Graph,
    before: &[Root],
    forms: impl IntoIterator<Item = Vec<ExprId>>,
) -> Vec<ExprId> {
    let cost = |form: &Vec<ExprId>| {
        let outputs = form.iter().copied().map(Root::Output);
        let roots: Vec<Root> = before.iter().copied().chain(outputs).collect_vec();
        schedule::count(graph, &roots).weight()
    };
    forms.into_iter().min_by_key(cost).unwrap_or_default()
}

impl Computed {
    /// Expressions that need no solution of a linear system.
    pub fn plain(outputs: Vec<ExprId>) -> Computed {
        Computed {
            outputs,
            ..Computed::default()
        }
    }

    /// Expressions that need no solution, after guards.
    pub fn after(order: &[Root], outputs: Vec<ExprId>) -> Computed {
        Computed {
            order: order.to_vec(),
            ..Computed::plain(outputs)
        }
    }

    /// The pivots that are checked, with their rows.
    pub fn pivots(&self) -> Vec<(usize, ExprId)> {
        let pivots = self.order.iter().filter_map(|root| match root {
            Root::Guard(guard) => Some((guard.row, guard.pivot)),
            _ => None,
        });
        pivots.collect_vec()
    }

    /// Quantities derived from multipliers.
    pub fn of(outputs: Vec<ExprId>, found: &Multipliers) -> Computed {
        Computed {
            outputs,
            order: found.order.clone(),
            names: found.names.clone(),
            unknowns: found.unknowns.clone(),
        }
    }

    /// The quantity without an order of its parts, which takes the fewest operations.
    pub fn in_any_order(mut self) -> Computed {
        self.order.retain(|root| matches!(root, Root::Guard(_)));
        self
    }

    /// Guards in the order of elimination, each with the right-hand side of its row, so that independent branches of
    /// the elimination overlap in the processor; the back substitution in the same manner; the outputs.
    pub fn roots(&self) -> impl Iterator<Item = Root> + '_ {
        let outputs = self.outputs.iter().copied().map(Root::Output);
        self.order.iter().copied().chain(outputs)
    }

    /// The quantity with its expressions replaced.
    pub fn mapped(&self, map: impl Fn(ExprId) -> ExprId) -> Computed {
        let all = |ids: &[ExprId]| ids.iter().map(|&id| map(id)).collect_vec();
        Computed {
            outputs: all(&self.outputs),
            order: self
                .order
                .iter()
                .map(|root| root.mapped(&map))
                .collect_vec(),
            names: self
                .names
                .iter()
                .map(|(id, name)| (map(*id), name.clone()))
                .collect_vec(),
            unknowns: all(&self.unknowns),
        }
    }
}
