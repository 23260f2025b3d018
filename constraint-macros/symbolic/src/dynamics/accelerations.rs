//! Accelerations that the caller gives, as leaves.

use crate::expr::{CollectVec, ExprId, Graph, SymbolId};
use crate::model::{Role, Symbol};

/// The leaves of v̇, those that outputs speak of among them.
pub fn accelerations(graph: &mut Graph, symbols: &mut Vec<Symbol>, count: usize) -> Vec<ExprId> {
    let mut leaves = vec![None; count];
    for (index, symbol) in symbols.iter().enumerate() {
        if let Role::Acceleration(i) = symbol.role {
            leaves[i] = Some(SymbolId::new(index));
        }
    }
    let leaf = |(i, known): (usize, Option<SymbolId>)| {
        let symbol =
            known.unwrap_or_else(|| Symbol::add(symbols, Role::Acceleration(i), format!("a_{i}")));
        graph.symbol(symbol)
    };
    leaves.into_iter().enumerate().map(leaf).collect_vec()
}
