//! Values of a row that several stages read: the elimination computes them once and stores them row by row.
//!
//! Input: expressions over the leaves of each family's first row. Output: the same of any row, as what its step of the
//! elimination writes and as leaves that later stages read.

use super::super::rolling::Rolling;
use super::super::routine::{Array, Kernel, Slot, Write};
use super::item::{Item, Leaf, symbol};
use crate::expr::{ExprId, Graph, Map, Node, Set, SymbolId};

/// Where a step of the elimination finds what it makes for others.
pub(in crate::system::loops) struct Making {
    place: usize,
    /// Of the tangent, where it is made of that.
    leaves: Vec<Leaf>,
}

impl Rolling<'_> {
    /// Shares of each row what of the list is more than a leaf and differs from row to row, each once.
    pub(super) fn share(&mut self, mut list: impl FnMut(&mut Self, usize) -> Vec<ExprId>) {
        let mut shared = Vec::new();
        for r in self.rows.first.clone() {
            let wanted = list(self, r);
            let mut bases: Vec<ExprId> = Vec::new();
            for id in wanted {
                let (_, base) = self.derivation.graph.split_coefficient(id);
                let opposite = self.derivation.graph.neg(base);
                let is_known = bases.contains(&base) || bases.contains(&opposite);
                if !is_known && self.is_of_row(r, base) {
                    bases.push(base);
                }
            }
            shared.push(bases);
        }
        let mut next = 0;
        let first = self.rows.of.iter().map(|&family| {
            let first = next;
            next += shared[family].len();
            first
        });
        self.shared.first = first.collect();
        self.shared.of = shared;
    }

    /// Whether something is computed that contains a leaf of the row's own.
    fn is_of_row(&self, r: usize, id: ExprId) -> bool {
        let graph = &self.derivation.graph;
        let leaves = self.slots_of(r).into_iter().flatten();
        let own: Vec<SymbolId> = leaves
            .flat_map(|it| {
                [
                    Some(it),
                    self.shared.changes.get(&it).map(|change| change.0),
                ]
            })
            .flatten()
            .collect();
        let mut below = graph.reachable([id]).into_iter();
        symbol(graph, id).is_none()
            && below.any(|id| symbol(graph, id).is_some_and(|it| own.contains(&it)))
    }

    /// The leaves of each slot of a row.
    fn slots_of(&self, r: usize) -> Vec<Vec<SymbolId>> {
        let leaves = |slot: &Slot| match *slot {
            Slot::Record(c) => {
                let leaves = self.of_coordinate(c).into_iter();
                leaves.map(|(_, symbol)| symbol).collect()
            }
            Slot::Element(symbol, ..) => vec![symbol],
        };
        self.rows.slots[r].iter().map(leaves).collect()
    }

    /// The values that a row shares, over its own leaves.
    fn shared_of(&mut self, r: usize) -> Vec<ExprId> {
        let family = self.rows.of[r];
        let list = self.shared.of.get(family).cloned().unwrap_or_default();
        let first = self.rows.first[family];
        if r == first || list.is_empty() {
            return list;
        }
        let [there, here] = [first, r].map(|r| self.slots_of(r).into_iter().flatten());
        let pairs: Vec<(SymbolId, SymbolId)> = there.zip(here).collect();
        let mut map = Map::default();
        for (there, here) in pairs {
            let graph = &mut self.derivation.graph;
            map.insert(graph.symbol(there), graph.symbol(here));
            if self.shared.changes.contains_key(&there) {
                map.insert(self.change(there).1, self.change(here).1);
            }
        }
        let graph = &mut self.derivation.graph;
        let map = graph.substitute(list.iter().copied(), map);
        list.iter().map(|id| map[id]).collect()
    }

    /// Appends the places of what a row shares, and tells the first.
    pub(super) fn place_shared(&self, r: usize, indices: &mut Vec<usize>) -> usize {
        let place = indices.len();
        let count = self.shared.of.get(self.rows.of[r]).map_or(0, Vec::len);
        let first = self.shared.first.get(r).copied().unwrap_or(0);
        indices.extend(first..first + count);
        place
    }

    /// Reads it.
    pub(super) fn read_shared(&mut self, item: &mut Item, r: usize, place: usize) {
        for (place, id) in (place..).zip(self.shared_of(r)) {
            let leaf = self.read(&mut item.reads, "made", Array::Shared, place);
            item.made.insert(id, leaf);
        }
    }

    /// An expression as what is made already, if it is.
    pub(super) fn as_made(&mut self, item: &Item, id: ExprId) -> ExprId {
        let graph = &mut self.derivation.graph;
        let known = |graph: &Graph, id| {
            let (by, base) = graph.split_coefficient(id);
            Some((*item.made.get(&base)?, by))
        };
        let opposite = graph.neg(id);
        let found = known(graph, id);
        let found = found.or_else(|| known(graph, opposite).map(|(leaf, by)| (leaf, -by)));
        found.map_or(id, |(leaf, by)| graph.scale(leaf, by))
    }

    /// J′ of a row at a velocity.
    pub(super) fn made_entry(&mut self, item: &Item, r: usize, c: usize) -> Option<ExprId> {
        let entry = self.entry(r, c)?;
        Some(self.as_made(item, entry))
    }

    /// Where a step makes what its row shares; `along` a tangent it reads that.
    pub(in crate::system::loops) fn place_making(
        &self,
        r: usize,
        slots: &[Slot],
        along: bool,
        indices: &mut Vec<usize>,
    ) -> Making {
        let place = self.place_shared(r, indices);
        let mut leaves = Vec::new();
        if along {
            leaves = self.leaves(slots, indices);
        }
        Making { place, leaves }
    }

    /// Makes it in that step.
    pub(in crate::system::loops) fn make_shared(
        &mut self,
        kernel: &mut Kernel,
        r: usize,
        making: &Making,
    ) {
        self.seeds(&mut kernel.reads, &making.leaves);
        for (place, id) in (making.place..).zip(self.shared_of(r)) {
            kernel.roots.push(id);
            kernel.writes.push(Write::Set(Array::Shared, place));
        }
    }
}

/// The largest expressions below the roots that are found below others.
pub(super) fn common(graph: &Graph, roots: &[ExprId], others: &[ExprId]) -> Vec<ExprId> {
    let there = graph.reachable(others.iter().copied());
    let (mut found, mut stack) = (Vec::new(), roots.to_vec());
    while let Some(id) = stack.pop() {
        if there.binary_search(&id).is_ok() {
            if !found.contains(&id) {
                found.push(id);
            }
        } else {
            graph.node(id).for_each_child(|child| stack.push(child));
        }
    }
    found
}

/// Whether the roots ask for a value as a divisor alone, where others of the list are made already: 1/x is made for them.
pub(super) fn divides_alone(graph: &Graph, roots: &[ExprId], made: &[ExprId], x: ExprId) -> bool {
    let (mut seen, mut stack) = (Set::default(), roots.to_vec());
    while let Some(id) = stack.pop() {
        if id == x {
            return false;
        }
        if made.contains(&id) || !seen.insert(id) {
            continue;
        }
        match graph.node(id) {
            Node::Product(factors) => {
                let others = factors
                    .iter()
                    .filter(|&&(base, power)| base != x || power > 0);
                stack.extend(others.map(|&(base, _)| base));
            }
            node => node.for_each_child(|child| stack.push(child)),
        }
    }
    true
}

/// The computed values, with x replaced by one over a computed 1/x if x is only a divisor.
pub(super) fn with_divisors(
    graph: &mut Graph,
    roots: &[ExprId],
    made: &Map<ExprId, ExprId>,
) -> Map<ExprId, ExprId> {
    let all: Vec<ExprId> = made.keys().copied().collect();
    let mut known = made.clone();
    for (&id, &leaf) in made {
        let x = match graph.node(id) {
            Node::Product(factors) => match factors[..] {
                [(x, -1)] => x,
                _ => continue,
            },
            _ => continue,
        };
        if divides_alone(graph, roots, &all, x) {
            known.insert(x, graph.recip(leaf));
        }
    }
    known
}
