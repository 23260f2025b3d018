//! Constants beyond the range of floats in derived expressions, reported at their source.
//!
//! The graph keeps numbers beyond the range of `f64`, because other factors may bring them back. One that remains in
//! a result is a mistake, wherever the derivation produced it: 10³⁰⁸ x¹⁰⁰⁰ fits, its derivative has the factor 10³¹¹.

use crate::diagnostic::{Diagnostics, SourceRange, catalogue};
use crate::diff::Taylor;
use crate::expr::{CollectVec, ExprId, Graph, Map, MapEach, Number, Set, SymbolId};
use crate::model::{Model, Role};

/// Products of more entries of J than this are not traced back to the user's text.
const HIGHEST_POWER: i32 = 64;

/// Description of an expression whose constant comes from more than differentiation.
const LATER: &str = "an expression derived from this";

/// Reports constants of the results that do not fit an `f64`; returns true if there are none. The graph is the model's,
/// or extends it.
pub fn constants(
    model: &Model,
    graph: &Graph,
    results: impl FnOnce() -> Vec<ExprId>,
    diagnostics: &mut Diagnostics,
) -> bool {
    if graph.beyond().is_empty() {
        return true;
    }
    let reachable = graph.reachable(results());
    let numbers = reachable.iter().map(|&id| graph.node(id));
    let Some(value) = numbers.filter_map(|node| node.number_beyond()).next() else {
        return true;
    };
    let written = written(model, graph, &reachable);
    let mut origins = origins(model, graph.clone(), &written, value);
    if origins.is_empty() {
        let range = model.rows.first().map(|row| row.range);
        let range = range.unwrap_or_else(SourceRange::call_site);
        origins.push((range, LATER, value));
    }
    for (range, what, value) in origins {
        diagnostics.push(catalogue::constant_beyond(range, what, value));
    }
    false
}

/// The user's expressions that the results contain, in order of creation; a term includes the number in front of it,
/// because a sum stores this number itself.
fn written(model: &Model, graph: &Graph, results: &[ExprId]) -> Vec<ExprId> {
    let rows = model.rows.iter().map(|row| row.root);
    let mut part = vec![false; graph.len()];
    for id in graph.reachable(results.iter().copied().chain(rows)) {
        part[id.index()] = true;
    }
    let is_part = |id: &ExprId| part[id.index()] || part[graph.split_coefficient(*id).1.index()];
    let written = graph.ids().take(model.origins.len());
    written.filter(is_part).collect_vec()
}

/// The smallest of the user's expressions with such a constant in their value; else in their first derivative; else in
/// their second; else the smallest with constants whose products leave the range.
fn origins(
    model: &Model,
    mut graph: Graph,
    written: &[ExprId],
    value: Number,
) -> Vec<(SourceRange, &'static str, Number)> {
    let graph = &mut graph;
    let mut motion = Taylor::new(seeds(model, graph));
    let slopes = written.iter().map(|&id| motion.first(graph, id));
    let slopes: Vec<ExprId> = slopes.collect_vec();
    let bends = written.iter().map(|&id| motion.second(graph, id));
    let bends: Vec<ExprId> = bends.collect_vec();
    let beyond = within(graph, |number| !number.fits());
    let levels = [
        (written, "this expression"),
        (&slopes, "the derivative of this expression"),
        (&bends, "the second derivative of this expression"),
    ];
    let range = |id: ExprId| model.origins[id.index()].range;
    for (made, what) in levels {
        let found = made.iter().map(|made| beyond[made.index()]);
        let mut smallest = smallest(graph, written, found);
        let mut covered = Set::default();
        smallest.retain(|(id, _)| covered.insert(model.origins[id.index()].text));
        if !smallest.is_empty() {
            let origin = |(id, value)| (range(id), what, value);
            return smallest.into_iter().map(origin).collect_vec();
        }
    }
    let mut power = 2;
    while power <= HIGHEST_POWER {
        let beyond = within(graph, |number| !number.powi(power).fits());
        let found = written.iter().zip(&slopes);
        let found = found.map(|(id, slope)| beyond[id.index()].or(beyond[slope.index()]));
        // Any of them may be a factor of any other; the first is reported.
        if let Some((id, _)) = smallest(graph, written, found).first() {
            return vec![(range(*id), LATER, value)];
        }
        power *= 2;
    }
    Vec::new()
}

/// The expressions with a found number and without one in any operand.
fn smallest(
    graph: &Graph,
    written: &[ExprId],
    found: impl Iterator<Item = Option<Number>>,
) -> Vec<(ExprId, Number)> {
    let mut found: Map<ExprId, Option<Number>> = written.iter().copied().zip(found).collect();
    let (mut smallest, mut covered) = (Vec::new(), vec![false; graph.len()]);
    for (id, node) in graph.ids().zip(graph.nodes()) {
        node.for_each_child(|child| covered[id.index()] |= covered[child.index()]);
        if let Some(Some(value)) = found.remove(&id)
            && !covered[id.index()]
        {
            smallest.push((id, value));
            // Sums contain the term without its coefficient.
            covered[id.index()] = true;
            covered[graph.split_coefficient(id).1.index()] = true;
        }
    }
    smallest
}

/// Seeds that move all leaves except parameters, each with a velocity of its own.
fn seeds(model: &Model, graph: &mut Graph) -> Vec<(ExprId, ExprId, ExprId)> {
    let count = model.symbols.len();
    let zero = graph.zero();
    let fixed = |role| matches!(role, Role::Parameter { .. } | Role::Number(_));
    let moving = (0..count).filter(|&i| !fixed(model.symbols[i].role));
    let seed = |i: usize| {
        let [leaf, velocity] = [i, count + i].map_each(|i| graph.symbol(SymbolId::new(i)));
        (leaf, velocity, zero)
    };
    moving.map(seed).collect_vec()
}

/// For every expression a number for which `wanted` holds in it or in its operands, if there is one.
fn within(graph: &Graph, wanted: impl Fn(&Number) -> bool) -> Vec<Option<Number>> {
    let mut found: Vec<Option<Number>> = Vec::with_capacity(graph.len());
    for node in graph.nodes() {
        let mut number = node.numbers().find(&wanted);
        node.for_each_child(|child| number = number.or(found[child.index()]));
        found.push(number);
    }
    found
}
