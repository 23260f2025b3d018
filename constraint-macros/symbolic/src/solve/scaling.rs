//! The mass matrix without the common factors of its rows and columns: M = w D M̂ D.
//!
//! Input: M, and expressions known to be positive. Output: [`Scaled`]. A link of length l with an angle as coordinate
//! has l in its row and in its column. Without l there is less to eliminate, and l cancels against the forces.
//!
//! Invariant: D has no zero and w is positive if the expressions given as positive are.

use super::sparse::Sparse;
use crate::expr::{CollectVec, ExprId, Graph, Node, Number, SortedMap};

/// M̂, D and w.
#[derive(Clone, Debug)]
pub struct Scaled {
    /// M̂
    pub mass: Sparse,
    /// D, a diagonal.
    pub scales: Vec<ExprId>,
    /// w
    pub common: ExprId,
}

/// Scales a mass matrix; `positive` holds masses, and entries of the diagonal among them.
pub fn scaled(graph: &mut Graph, mass: &Sparse, positive: &[ExprId]) -> Scaled {
    let exponents = exponents(graph, mass, positive);
    let scales: Vec<ExprId> = exponents
        .iter()
        .map(|of| {
            let factors: Vec<_> = of.iter().map(|(&base, &e)| (base, e)).collect_vec();
            graph.product(&factors)
        })
        .collect_vec();
    let mut entries = mass.entries.clone();
    for (&(i, j), entry) in &mut entries {
        let scale = graph.mul(scales[i], scales[j]);
        *entry = graph.reduced(*entry, scale);
    }
    let common = common(graph, entries.values().copied(), positive);
    for entry in entries.values_mut() {
        *entry = graph.reduced(*entry, common);
    }
    Scaled {
        mass: Sparse { n: mass.n, entries },
        scales,
        common,
    }
}

/// Symbols with exponents.
type Powers = SortedMap<ExprId, i32>;

/// For each row the symbols to extract from it and from its column: their squares are in the diagonal entry.
fn exponents(graph: &Graph, mass: &Sparse, positive: &[ExprId]) -> Vec<Powers> {
    let halves = (0..mass.n).map(|i| {
        let entry = mass.get(i, i).filter(|entry| positive.contains(entry));
        let powers = entry.map(|entry| symbols(graph, entry)).unwrap_or_default();
        let halves = powers.into_iter().map(|(base, e)| (base, e / 2));
        halves.filter(|&(_, e)| e > 0).collect()
    });
    let mut halves: Vec<Powers> = halves.collect();
    while let Some((i, j, base)) = mass.entries.iter().find_map(|(&(i, j), &entry)| {
        let lacking = lacking(&symbols(graph, entry), &halves[i], &halves[j])?;
        Some((i, j, lacking))
    }) {
        halves[i].remove(&base);
        halves[j].remove(&base);
    }
    halves
}

/// A symbol whose exponent in an entry is less than its row and its column together would extract.
fn lacking(entry: &Powers, row: &Powers, column: &Powers) -> Option<ExprId> {
    let exponent = |powers: &Powers, base: ExprId| powers.get(&base).copied().unwrap_or(0);
    let mut wanted = row.keys().chain(column.keys()).copied();
    wanted.find(|&base| exponent(entry, base) < exponent(row, base) + exponent(column, base))
}

/// The symbols among the factors of an expression.
fn symbols(graph: &Graph, id: ExprId) -> Powers {
    let factors = graph.factors(id);
    let powers = factors.powers().iter().copied();
    let symbols = powers.filter(|&(base, _)| matches!(graph.node(base), Node::Symbol(_)));
    symbols.collect()
}

/// The positive symbols that all entries have.
fn common(graph: &mut Graph, entries: impl Iterator<Item = ExprId>, positive: &[ExprId]) -> ExprId {
    let factors = entries.map(|entry| graph.factors(entry));
    let shared = factors.reduce(|a, b| a.shared(&b));
    let powers = shared.iter().flat_map(|shared| shared.powers());
    let known = |&&(base, e): &&(ExprId, i32)| {
        e > 0 && positive.contains(&base) && matches!(graph.node(base), Node::Symbol(_))
    };
    let powers: Vec<_> = powers.filter(known).copied().collect_vec();
    match powers[..] {
        [] => graph.number(Number::ONE),
        _ => graph.product(&powers),
    }
}
