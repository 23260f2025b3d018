//! Expressions that equal one of the next round.

use super::super::leaves::{ArrayName, NewLeaf};
use super::super::rerolling::{Index, Loop};
use super::super::routine::{Kernel, Routine, Store, Write};
use super::writes::{leaves_alone, written};
use crate::expr::{CollectVec, ExprId, Graph, Map, Node, PushEach, Set, SymbolId};
use crate::schedule::{self, Root};

/// An expression, and the one that in this round has its value of the next round.
type Ahead = (ExprId, ExprId);

/// Keeps expressions of an item, if less remains to be computed then.
pub(super) fn keep<W: Write>(
    routine: &mut Routine<W>,
    graph: &mut Graph,
    new_leaf: &mut NewLeaf<'_>,
    it: &mut Loop,
    item: usize,
) {
    let kernel = &routine.kernels[it.body[item].0];
    let present = graph.reachable(kernel.roots.iter().copied());
    let leaves = leaves_ahead(&routine.kernels, it, item);
    let next = next_round(graph, &present, &leaves);
    let [whole, parts] =
        [false, true].map(|parts| values_of_next_round(graph, kernel, &present, &next, parts));
    if whole.is_empty() && parts.is_empty() {
        return;
    }
    let (number, indices) = &it.body[item];
    let own = &routine.kernels[*number];
    let mut leaves = Map::default();
    let mut keeping = |ahead: &[Ahead]| {
        for &(value, _) in ahead {
            let leaf = leaves.entry(value);
            leaf.or_insert_with(|| new_leaf(graph, "kept"));
        }
        own.keeping(graph, ahead, &leaves, indices.len())
    };
    let mut ahead = whole;
    let mut kernel = keeping(&ahead);
    // A product that is kept hides its factors from sums that share them.
    if parts != ahead {
        let other = keeping(&parts);
        if weight(graph, &other) < weight(graph, &kernel) {
            (ahead, kernel) = (parts, other);
        }
    }
    let size = |kernel: &Kernel<W>| graph.reachable(kernel.roots.iter().copied()).len();
    if ahead.is_empty() || size(&kernel) > size(own) {
        return;
    }
    let first = own.first(&ahead, indices.len());
    let (number, indices) = &mut it.body[item];
    indices.push_each((routine.kept..).take(ahead.len()).map(Index::Constant));
    routine.kept += ahead.len();
    let number = *number;
    let start = it.first_places(item);
    routine.kernels[number] = kernel;
    let first = routine.add(first);
    routine.loops.push(Loop::once(first, start));
}

/// A rough time of a round.
fn weight<W: Write>(graph: &Graph, kernel: &Kernel<W>) -> u32 {
    let roots: Vec<Root> = kernel.roots.iter().copied().map(Root::Output).collect_vec();
    schedule::count(graph, &roots).weight()
}

impl<W: Write> Kernel<W> {
    /// The kernel that reads the kept values and keeps those for the next round, from this place on.
    fn keeping(
        &self,
        graph: &mut Graph,
        ahead: &[Ahead],
        leaves: &Map<ExprId, (SymbolId, ExprId)>,
        place: usize,
    ) -> Kernel<W> {
        let mut kernel = self.clone();
        let mut kept = Map::default();
        for (place, &(value, now)) in (place..).zip(ahead) {
            let (symbol, leaf) = leaves[&value];
            kept.insert(value, leaf);
            kernel.reads.push((symbol, W::Array::KEPT, place));
            kernel.roots.push(now);
            kernel
                .writes
                .push(W::from(Store::set(W::Array::KEPT, place)));
        }
        let replaced = graph.substitute(kernel.roots.iter().copied(), kept);
        kernel.roots = kernel.roots.iter().map(|root| replaced[root]).collect_vec();
        kernel
    }

    /// The kernel that keeps the values for the first round, from this place on.
    fn first(&self, ahead: &[Ahead], place: usize) -> Kernel<W> {
        let places = (place..).take(ahead.len());
        let stores = places.map(|place| Store::set(W::Array::KEPT, place));
        Kernel {
            reads: self.reads.clone(),
            roots: ahead.iter().map(|&(value, _)| value).collect_vec(),
            writes: stores.map(W::from).collect_vec(),
        }
    }
}

/// The largest expressions of an item whose values of the next round it computes in this round. With `parts`, products of
/// computed factors are not among them, but their factors may be.
fn values_of_next_round<W: Write>(
    graph: &Graph,
    kernel: &Kernel<W>,
    present: &[ExprId],
    next: &Map<ExprId, ExprId>,
    parts: bool,
) -> Vec<Ahead> {
    let is_leaf = |id: ExprId| matches!(graph.node(id), Node::Symbol(_) | Node::Number(_));
    let is_split = |id: ExprId| match graph.node(id) {
        Node::Product(factors) if parts => factors.iter().any(|&(factor, _)| !is_leaf(factor)),
        _ => false,
    };
    let (mut found, mut seen) = (Vec::new(), Set::default());
    let mut stack: Vec<ExprId> = kernel.roots.iter().rev().copied().collect_vec();
    while let Some(id) = stack.pop() {
        if !seen.insert(id) {
            continue;
        }
        let ahead = next.get(&id).copied().filter(|_| !is_split(id));
        match ahead.filter(|&now| now != id && !is_leaf(id) && present.binary_search(&now).is_ok())
        {
            Some(now) => {
                found.push((id, now));
                stack.push(now);
            }
            None => {
                let first = stack.len();
                graph.node(id).for_each_child(|child| stack.push(child));
                stack[first..].reverse();
            }
        }
    }
    found
}

/// For each leaf read from an array the leaf that in this round has its value of the next round, if there is one.
fn leaves_ahead<W: Write>(
    kernels: &[Kernel<W>],
    it: &Loop,
    item: usize,
) -> Map<SymbolId, Option<SymbolId>> {
    let (kernel, indices) = &it.body[item];
    let reads = &kernels[*kernel].reads;
    let still = |array: W::Array, place: Index| {
        let mut writes = written(kernels, it, array).into_iter();
        writes.all(|write| leaves_alone(it, write, item, place, (item, 0)))
    };
    let ahead = reads.iter().map(|&(symbol, array, place)| {
        let next = indices[place].next();
        let there = reads.iter().find(|&&(_, other, at)| {
            other == array && Some(indices[at]) == next && still(array, indices[place])
        });
        (symbol, there.map(|&(symbol, ..)| symbol))
    });
    ahead.collect()
}

/// The values of expressions in the next round, as expressions of this one.
fn next_round(
    graph: &mut Graph,
    present: &[ExprId],
    leaves: &Map<SymbolId, Option<SymbolId>>,
) -> Map<ExprId, ExprId> {
    let mut next: Map<ExprId, ExprId> = Map::default();
    for &id in present {
        let node = graph.node(id).clone();
        let mut known = true;
        node.for_each_child(|child| known &= next.contains_key(&child));
        let ahead = match &node {
            Node::Symbol(symbol) => match leaves.get(symbol) {
                Some(ahead) => ahead.map(|ahead| graph.symbol(ahead)),
                None => Some(id),
            },
            node if known => Some(graph.rebuild(node, &next)),
            _ => None,
        };
        if let Some(ahead) = ahead {
            next.insert(id, ahead);
        }
    }
    next
}
