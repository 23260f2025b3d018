//! Values of a row that several kernels ask for: the step that eliminates it computes them once, and stores them.
//!
//! Input: expressions over the leaves of each family's first row. Output: the same of any row, as what its step writes and
//! as leaves that kernels of later stages read.

use super::super::routine::{Array, Kernel, Write};
use super::contribution::Contribution;
use super::derivation::{Elements, Pool};
use super::places::Plan;
use super::structure::Site;
use crate::expr::{CollectVec, ExprId, Graph, Map, MapEach, Node, PushEach, Set, SymbolId};
use crate::families::Slot;

impl Elements<'_> {
    /// Shares of each row what of the list is more than a leaf and differs from row to row, each once.
    pub(super) fn share(&mut self, mut list: impl FnMut(&mut Self, usize) -> Vec<ExprId>) {
        let mut shared = Vec::new();
        for r in self.rows.first.clone() {
            let wanted = list(self, r);
            let mut bases: Vec<ExprId> = Vec::new();
            for id in wanted {
                let (_, base) = self.graph().split_coefficient(id);
                let opposite = self.graph().neg(base);
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
        self.shared.first = first.collect_vec();
        self.shared.of = shared;
    }

    /// Whether something is computed that contains a leaf of the row's own.
    fn is_of_row(&self, r: usize, id: ExprId) -> bool {
        let graph = &self.derivation.graph;
        let own: Set<SymbolId> = self.leaves_of_row(r).into_iter().collect();
        let mut below = graph.reachable([id]).into_iter();
        let is_leaf = matches!(graph.node(id), Node::Symbol(_));
        !is_leaf && below.any(|id| matches!(graph.node(id), Node::Symbol(it) if own.contains(it)))
    }

    /// The leaves of the slots of a row, and how they move, slot by slot.
    fn leaves_of_row(&self, r: usize) -> Vec<SymbolId> {
        let mut leaves = Vec::new();
        for &slot in &self.rows.slots[r] {
            match slot {
                Slot::Element(symbol, ..) => leaves.push(symbol),
                Slot::Record(c) => {
                    let coordinate = &self.system.coordinates[c];
                    for leaf in [coordinate.position, Some(coordinate.velocity)] {
                        leaves.push_each(leaf.and_then(|leaf| self.symbol(leaf)));
                    }
                }
            }
            for direction in self.directions_of(slot) {
                let change = self.changes.get(&direction);
                leaves.push_each(change.and_then(|&leaf| self.symbol(leaf)));
            }
        }
        leaves
    }

    fn symbol(&self, leaf: ExprId) -> Option<SymbolId> {
        match *self.derivation.graph.node(leaf) {
            Node::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// The values that a row shares, over its own leaves.
    fn shared_of(&mut self, r: usize) -> Vec<ExprId> {
        let family = self.rows.of[r];
        let list = self.shared.of.get(family).cloned().unwrap_or_default();
        let first = self.rows.first[family];
        if r == first || list.is_empty() {
            return list;
        }
        // Both have all changes as leaves then.
        for r in [first, r] {
            for slot in self.rows.slots[r].clone() {
                for direction in self.directions_of(slot) {
                    if self.changes.contains_key(&direction) || r != first {
                        self.change(direction);
                    }
                }
            }
        }
        let [there, here] = [first, r].map(|r| self.leaves_of_row(r));
        let graph = &mut self.derivation.graph;
        let pairs = there.into_iter().zip(here);
        let map = pairs.map(|(there, here)| (graph.symbol(there), graph.symbol(here)));
        let map: Map<ExprId, ExprId> = map.collect();
        let map = graph.substitute(list.iter().copied(), map);
        list.iter().map(|id| map[id]).collect_vec()
    }

    /// The number of values that a row shares.
    pub(super) fn shared_len(&self, r: usize) -> usize {
        self.shared.of.get(self.rows.of[r]).map_or(0, Vec::len)
    }

    /// Where the values of a row begin.
    pub(super) fn shared_place(&self, r: usize) -> usize {
        self.shared.first.get(r).copied().unwrap_or_default()
    }

    /// The places of what the step of a joint shares, and before them those of the tangent that it is made of.
    pub(super) fn plan_sharing(&self, plan: &mut Plan, j: usize) -> usize {
        let rows = self.structure.joints[j].rows.clone();
        let base = plan.indices.len();
        if self.shared.is_along {
            let directions = self.directions(Site::Joint(j)).into_iter();
            plan.indices.push_each(directions.map(|it| it.1));
        }
        for r in rows {
            let first = self.shared_place(r);
            plan.indices.push_each(first..first + self.shared_len(r));
        }
        base
    }

    /// The same in the kernel.
    pub(super) fn share_in(&mut self, kernel: &mut Kernel, j: usize, base: usize) {
        let mut place = base;
        if self.shared.is_along {
            for direction in self.directions(Site::Joint(j)) {
                let leaf = self.change(direction);
                let symbol = self.symbol(leaf);
                let read = symbol.map(|symbol| (symbol, Array::Tangent(direction.0), place));
                kernel.reads.push_each(read);
                place += 1;
            }
        }
        for r in self.structure.joints[j].rows.clone() {
            for id in self.shared_of(r) {
                kernel.push(id, Write::Set(Array::Shared, place));
                place += 1;
            }
        }
    }

    /// Results of an element in which values that rows share, and W, are read.
    pub(super) fn read_known(&mut self, e: usize, made: &mut Contribution) {
        let mut known = self.known_at(Site::Element(e));
        for (k, c) in self.structure.elements[e]
            .columns
            .clone()
            .into_iter()
            .enumerate()
        {
            let ratio = self.diagonal.as_ref().map(|it| it.ratios[c]);
            let is_kept =
                self.weight_of(c).is_some() && !self.structure.elements[e].joints.is_empty();
            if let Some(ratio) = ratio.filter(|_| is_kept) {
                // The elimination has stored the quotient: no second division.
                let weight = self.pooled(Pool::Weight, k);
                let graph = self.graph();
                let [mass, inverse] = [ratio, weight].map_each(|it| graph.recip(it));
                known.entry(mass).or_insert(inverse);
            }
        }
        let Contribution {
            outputs,
            second,
            last,
            ..
        } = made;
        let all = outputs.iter_mut().chain(&mut second.outputs).chain(last);
        let mut all: Vec<&mut ExprId> = all.map(|it| &mut it.0).collect_vec();
        let roots: Vec<ExprId> = all.iter().map(|it| **it).collect_vec();
        let map = self.graph().substitute(roots, known);
        all.iter_mut().for_each(|it| **it = map[*it]);
    }

    /// Values of the rows of a site that are read, by what they are.
    pub(super) fn known_at(&mut self, at: Site) -> Map<ExprId, ExprId> {
        let mut known = Map::default();
        for (a, r) in self.rows_at(at).into_iter().enumerate() {
            for (k, id) in self.shared_of(r).into_iter().enumerate() {
                let leaf = self.pooled(Pool::Shared(a), k);
                let graph = &mut self.derivation.graph;
                let opposites = [id, leaf].map_each(|it| graph.neg(it));
                known.insert(opposites[0], opposites[1]);
                known.insert(id, leaf);
            }
        }
        known
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

/// Whether the roots ask for a value as a divisor alone, where others of the list are known already: 1/x is kept for them.
pub(super) fn divides_alone(graph: &Graph, roots: &[ExprId], known: &[ExprId], x: ExprId) -> bool {
    let (mut seen, mut stack) = (Set::default(), roots.to_vec());
    while let Some(id) = stack.pop() {
        if id == x {
            return false;
        }
        if known.contains(&id) || !seen.insert(id) {
            continue;
        }
        match graph.node(id) {
            Node::Product(factors) => {
                let others = factors
                    .iter()
                    .filter(|&&(base, power)| base != x || power > 0);
                stack.push_each(others.map(|&(base, _)| base));
            }
            node => node.for_each_child(|child| stack.push(child)),
        }
    }
    true
}

/// Known values, with x replaced by one over a known 1/x if x is only a divisor.
pub(super) fn with_divisors(graph: &mut Graph, roots: &[ExprId], known: &mut Map<ExprId, ExprId>) {
    let all: Vec<(ExprId, ExprId)> = known.iter().map(|(&id, &leaf)| (id, leaf)).collect_vec();
    let values: Vec<ExprId> = all.iter().map(|it| it.0).collect_vec();
    for (id, leaf) in all {
        let x = match graph.node(id) {
            Node::Product(factors) => match factors[..] {
                [(x, -1)] => x,
                _ => continue,
            },
            _ => continue,
        };
        if divides_alone(graph, roots, &values, x) {
            known.insert(x, graph.recip(leaf));
        }
    }
}
