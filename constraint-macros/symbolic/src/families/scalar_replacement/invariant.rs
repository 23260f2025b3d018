//! Expressions that no round changes.

use super::super::leaves::{ArrayName, NewLeaf};
use super::super::rerolling::{Index, Loop};
use super::super::routine::{Kernel, Routine, Store, Write};
use crate::expr::{CollectVec, ExprId, Graph, Map, Node, PushEach, Set, SymbolId};

/// Computes expressions of parameters and of constant places of arguments before all loops, and keeps them.
pub fn hoist<W: Write>(routine: &mut Routine<W>, graph: &mut Graph, new_leaf: &mut NewLeaf<'_>) {
    let mut loops = std::mem::take(&mut routine.loops);
    let mut before = Vec::new();
    for it in loops.iter_mut().filter(|it| it.rounds > 1) {
        for item in 0..it.body.len() {
            let mut start = it.first_places(item);
            let (number, indices) = &mut it.body[item];
            let kernel = &routine.kernels[*number];
            let still = unchanging(graph, kernel, indices);
            let (mut own, mut kept) = (kernel.clone(), Map::default());
            let mut make = Kernel {
                reads: kernel.reads.clone(),
                ..Kernel::default()
            };
            for id in still {
                let (symbol, leaf) = new_leaf(graph, "kept");
                let place = routine.kept;
                routine.kept += 1;
                kept.insert(id, leaf);
                own.reads.push((symbol, W::Array::KEPT, indices.len()));
                indices.push(Index::Constant(place));
                make.roots.push(id);
                let store = Store::set(W::Array::KEPT, start.len());
                make.writes.push(W::from(store));
                start.push(place);
            }
            if !kept.is_empty() {
                let replaced = graph.substitute(own.roots.iter().copied(), kept);
                own.roots.iter_mut().for_each(|root| *root = replaced[root]);
                *number = routine.kernels.len();
                routine.kernels.push(own);
                before.push((make, start));
            }
        }
    }
    let before = before.into_iter().map(|(kernel, places)| {
        let kernel = routine.add(kernel);
        Loop::once(kernel, places)
    });
    routine.loops = before.collect_vec();
    routine.loops.push_each(loops);
    routine.drop_unused();
}

/// The largest expressions of a kernel that no round of a loop changes: their leaves are not read from arrays, or from one
/// place of an argument.
fn unchanging<W: Write>(graph: &Graph, kernel: &Kernel<W>, indices: &[Index]) -> Vec<ExprId> {
    let moves = |symbol: SymbolId| {
        let mut reads = kernel.reads.iter().filter(|read| read.0 == symbol);
        reads
            .any(|&(_, array, at)| !(array.is_given() && matches!(indices[at], Index::Constant(_))))
    };
    let mut still: Set<ExprId> = Set::default();
    for id in graph.reachable(kernel.roots.iter().copied()) {
        let mut stands = match *graph.node(id) {
            Node::Symbol(symbol) => !moves(symbol),
            _ => true,
        };
        graph
            .node(id)
            .for_each_child(|child| stands &= still.contains(&child));
        if stands {
            still.insert(id);
        }
    }
    let is_leaf = |id: ExprId| matches!(graph.node(id), Node::Symbol(_) | Node::Number(_));
    let (mut found, mut stack) = (Vec::new(), kernel.roots.clone());
    while let Some(id) = stack.pop() {
        if !still.contains(&id) {
            graph.node(id).for_each_child(|child| stack.push(child));
        } else if !is_leaf(id) && !found.contains(&id) {
            found.push(id);
        }
    }
    found
}
