//! What one round of a loop hands to the next, kept in a few places of its own instead of being read, or
//! computed, again.
//!
//! Input: a [`Routine`] whose items read other places in every round. Output: the same routine, in which
//! - an expression is kept where the next round asks for it at its own places: what couples a link of a chain
//!   to the next is made of both links' vectors, and the next round takes the same from the other side;
//! - a value that is written for the next round to read is kept.
//!
//! Scalar replacement, as compilers call it, and predictive commoning of what is computed:
//!
//! ```text
//! round i          reads x[i], x[i+1]     computes d = x[i+1] − x[i], e = x[i+2] − x[i+1]
//! round i + 1      reads x[i+1], x[i+2]   computes d = x[i+2] − x[i+1], …
//!                                                  ╰── what round i called e
//! kept = x[1] − x[0];                     before the loop
//! for i { d = kept; e = x[i+2] − x[i+1]; …; kept = e; }
//!
//! a[i+1] = …; in round i, and … a[i] … in round i + 1:  kept = …, and … kept …
//! ```
//!
//! Invariant: between the two rounds nothing else is written to the places in question.

use std::collections::{BTreeMap, BTreeSet};

use super::rerolling::{Index, Loop};
use super::routine::{Array, Kernel, Read, Routine, Write};
use crate::expr::{ExprId, Graph, Map, Node, Set, SymbolId};
use crate::model::{Role, Symbol};
use crate::schedule::{self, Root};

/// Keeps what the loops from this one on hand on.
pub fn replace(routine: &mut Routine, from: usize, graph: &mut Graph, symbols: &mut Vec<Symbol>) {
    for mut it in routine.loops.split_off(from) {
        if it.rounds == 1 {
            routine.loops.push(it);
            continue;
        }
        let (first, per_column) = (routine.loops.len(), it.per_column);
        for item in 0..it.body.len() {
            let own = routine.kernels[it.body[item].0].clone();
            it.body[item].0 = routine.add(own);
            keep_values(routine, graph, symbols, &mut it, item);
        }
        let contracted = contract(routine, graph, symbols, &mut it);
        let after = keep_for_next_round(routine, graph, symbols, &mut it);
        routine.loops.push(it);
        routine.loops.extend(contracted);
        routine.loops.extend(after);
        let all = routine.loops[first..].iter_mut();
        all.for_each(|it| it.per_column = per_column);
    }
    drop_unused(routine);
}

/// Forgets the kernels that others have replaced.
fn drop_unused(routine: &mut Routine) {
    let items = routine.loops.iter_mut().flat_map(|it| &mut it.body);
    let mut items: Vec<&mut usize> = items.map(|(kernel, _)| kernel).collect();
    let used: BTreeSet<usize> = items.iter().map(|kernel| **kernel).collect();
    let number: BTreeMap<usize, usize> = used.iter().copied().zip(0..).collect();
    for kernel in &mut items {
        **kernel = number[&**kernel];
    }
    let mut kernels = 0..;
    let mut is_used = |_: &Kernel| kernels.next().is_some_and(|kernel| used.contains(&kernel));
    routine.kernels.retain(&mut is_used);
}

impl Routine {
    fn add(&mut self, kernel: Kernel) -> usize {
        self.kernels.push(kernel);
        self.kernels.len() - 1
    }
}

// ---- what is written to an array in a round -----------------------------------------------------

/// A write of an item: the item, which of its writes, and where.
type Written = (usize, usize, Index);

/// What a loop writes to an array.
fn written(kernels: &[Kernel], it: &Loop, array: Array) -> Vec<Written> {
    let items = it.body.iter().enumerate();
    let written = items.flat_map(|(item, (kernel, indices))| {
        let writes = kernels[*kernel].writes.iter().enumerate();
        writes.filter_map(move |(k, write)| match *write {
            Write::Set(to, at) | Write::Add(to, at) if to == array => Some((item, k, indices[at])),
            _ => None,
        })
    });
    written.collect()
}

/// Whether a write leaves alone what an item reads in its first round, and what it reads in later ones from
/// the round before on, beginning with the write `after` which nothing may come.
fn leaves_alone(
    it: &Loop,
    (writer, k, to): Written,
    reader: usize,
    read: Index,
    after: (usize, usize),
) -> bool {
    let apart = |round: usize, read_in: usize| {
        let place = to.at(round);
        place.is_some() && place != read.at(read_in)
    };
    let before = writer < reader;
    let rest_of_round = (writer, k) >= after;
    (!before || apart(0, 0))
        && (1..it.rounds).all(|round| {
            (!before || apart(round, round)) && (!rest_of_round || apart(round - 1, round))
        })
}

// ---- expressions that the next round asks for ---------------------------------------------------

/// An expression, and the one that has its value of the next round in this round.
type Ahead = (ExprId, ExprId);

/// Keeps an item's expressions, if that leaves less to compute.
fn keep_values(
    routine: &mut Routine,
    graph: &mut Graph,
    symbols: &mut Vec<Symbol>,
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
            leaf.or_insert_with(|| new_leaf(graph, symbols, "kept"));
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
    let size = |kernel: &Kernel| graph.reachable(kernel.roots.iter().copied()).len();
    if ahead.is_empty() || size(&kernel) > size(own) {
        return;
    }
    let first = own.making(&ahead, indices.len());
    let (number, indices) = &mut it.body[item];
    indices.extend((routine.kept..).take(ahead.len()).map(Index::Constant));
    routine.kept += ahead.len();
    let number = *number;
    let start = it.first_places(item);
    routine.kernels[number] = kernel;
    let first = routine.add(first);
    routine.loops.push(Loop::once(first, start));
}

/// A rough time of a round.
fn weight(graph: &Graph, kernel: &Kernel) -> u32 {
    let roots: Vec<Root> = kernel.roots.iter().copied().map(Root::Output).collect();
    schedule::count(graph, &roots).weight()
}

impl Kernel {
    /// The same with values that were kept, and with those kept that the next round asks for, from this place on.
    fn keeping(
        &self,
        graph: &mut Graph,
        ahead: &[Ahead],
        leaves: &Map<ExprId, (SymbolId, ExprId)>,
        place: usize,
    ) -> Kernel {
        let mut kernel = self.clone();
        let mut kept = Map::default();
        for (place, &(value, now)) in (place..).zip(ahead) {
            let (symbol, leaf) = leaves[&value];
            kept.insert(value, leaf);
            kernel.reads.push((symbol, Array::Kept, place));
            kernel.roots.push(now);
            kernel.writes.push(Write::Set(Array::Kept, place));
        }
        let replaced = graph.substitute(kernel.roots.iter().copied(), kept);
        kernel.roots = kernel.roots.iter().map(|root| replaced[root]).collect();
        kernel
    }

    /// What the first round finds kept, from this place on.
    fn making(&self, ahead: &[Ahead], place: usize) -> Kernel {
        let places = (place..).take(ahead.len());
        Kernel {
            reads: self.reads.clone(),
            roots: ahead.iter().map(|&(value, _)| value).collect(),
            writes: places.map(|place| Write::Set(Array::Kept, place)).collect(),
        }
    }
}

/// The largest expressions of an item whose values of the next round it computes in this round; of products of what is
/// computed the `parts`, where that is asked for.
fn values_of_next_round(
    graph: &Graph,
    kernel: &Kernel,
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
    let mut stack: Vec<ExprId> = kernel.roots.iter().rev().copied().collect();
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

/// For each leaf read from an array the leaf that now is what it will be in the next round, if there is one.
fn leaves_ahead(kernels: &[Kernel], it: &Loop, item: usize) -> Map<SymbolId, Option<SymbolId>> {
    let (kernel, indices) = &it.body[item];
    let reads = &kernels[*kernel].reads;
    let still = |array: Array, place: Index| {
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

// ---- expressions that no round changes ----------------------------------------------------------

/// Keeps what is made of parameters and of arguments that stand still, computed before the loops.
pub fn hoist(routine: &mut Routine, graph: &mut Graph, symbols: &mut Vec<Symbol>) {
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
                let (symbol, leaf) = new_leaf(graph, symbols, "kept");
                let place = routine.kept;
                routine.kept += 1;
                kept.insert(id, leaf);
                own.reads.push((symbol, Array::Kept, indices.len()));
                indices.push(Index::Constant(place));
                make.roots.push(id);
                make.writes.push(Write::Set(Array::Kept, start.len()));
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
    routine.loops = before.collect();
    routine.loops.extend(loops);
    drop_unused(routine);
}

/// The largest expressions of a kernel that stand still in a loop: what is made of leaves that are read nowhere, or at one
/// place of what the function is given.
fn unchanging(graph: &Graph, kernel: &Kernel, indices: &[Index]) -> Vec<ExprId> {
    let moves = |symbol: SymbolId| {
        let mut reads = kernel.reads.iter().filter(|read| read.0 == symbol);
        reads.any(|&(_, array, at)| {
            let is_given = array.is_argument() || matches!(array, Array::Tangent(_));
            !(is_given && matches!(indices[at], Index::Constant(_)))
        })
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

// ---- values that are read once, in the round of their own or in the next ------------------------

/// Keeps what an item prepares for a later one of the same round, or of the next; what is left to do after the loop.
///
/// What elements prepare for their joints is read once: where that is here, it needs no array.
fn contract(
    routine: &mut Routine,
    graph: &mut Graph,
    symbols: &mut Vec<Symbol>,
    it: &mut Loop,
) -> Option<Loop> {
    let (mut before, mut after) = (Copies::default(), Copies::default());
    for (item, k, place) in written(&routine.kernels, it, Array::Prepared) {
        let reader = |place: Index| {
            let mut items = it.body.iter().enumerate().skip(item + 1);
            items.find_map(|(other, (kernel, indices))| {
                let mut reads = routine.kernels[*kernel].reads.iter();
                let here = |read: &Read| read.1 == Array::Prepared && indices[read.2] == place;
                Some((other, reads.position(here)?))
            })
        };
        let now = routine.kept;
        if let Some(read) = reader(place) {
            routine.kept += 1;
            redirect_read(&mut routine.kernels, it, read, now);
            redirect_write(&mut routine.kernels, it, (item, k), now);
            continue;
        }
        let Some(previous) = place.previous() else {
            continue;
        };
        let ends = [previous.at(0), place.at(it.rounds - 1)];
        let (Some(read), [Some(first), Some(last)]) = (reader(previous), ends) else {
            continue;
        };
        let waiting = now + 1;
        routine.kept += 2;
        redirect_read(&mut routine.kernels, it, read, waiting);
        redirect_write(&mut routine.kernels, it, (item, k), now);
        let leaf = new_leaf(graph, symbols, "handed");
        let (kernel, indices) = &mut it.body[read.0];
        let kernel = &mut routine.kernels[*kernel];
        kernel.reads.push((leaf.0, Array::Kept, indices.len()));
        kernel.roots.push(leaf.1);
        kernel
            .writes
            .push(Write::Set(Array::Kept, indices.len() + 1));
        indices.extend([now, waiting].map(Index::Constant));
        before.push(leaf, (Array::Prepared, first), (Array::Kept, waiting));
        after.push(leaf, (Array::Kept, waiting), (Array::Prepared, last));
    }
    let before = before.into_loop(routine);
    routine.loops.extend(before);
    after.into_loop(routine)
}

/// Reads it from where it is kept.
fn redirect_read(kernels: &mut [Kernel], it: &mut Loop, (item, k): (usize, usize), kept: usize) {
    let (kernel, indices) = &mut it.body[item];
    let (_, array, place) = &mut kernels[*kernel].reads[k];
    (*array, *place) = (Array::Kept, indices.len());
    indices.push(Index::Constant(kept));
}

/// Writes it to where it is kept, and gives where it went.
fn redirect_write(
    kernels: &mut [Kernel],
    it: &mut Loop,
    (item, k): (usize, usize),
    kept: usize,
) -> Write {
    let (kernel, indices) = &mut it.body[item];
    let here = Write::Set(Array::Kept, indices.len());
    indices.push(Index::Constant(kept));
    std::mem::replace(&mut kernels[*kernel].writes[k], here)
}

// ---- values that are written for the next round -------------------------------------------------

/// A value written in one round and read in the next.
struct Handed {
    array: Array,
    /// The item that writes it, and which of its writes.
    write: (usize, usize),
    /// The items that read it, and which of their reads.
    reads: Vec<(usize, usize)>,
    /// Where the first round finds it, and where the last leaves it.
    ends: [usize; 2],
}

/// Keeps the values beside their arrays; what is left to do after the loop.
fn keep_for_next_round(
    routine: &mut Routine,
    graph: &mut Graph,
    symbols: &mut Vec<Symbol>,
    it: &mut Loop,
) -> Option<Loop> {
    let (mut before, mut after) = (Copies::default(), Copies::default());
    for value in handed(&routine.kernels, graph, it) {
        let kept = routine.kept;
        routine.kept += 1;
        value.redirect(&mut routine.kernels, it, kept);
        let leaf = new_leaf(graph, symbols, "handed");
        before.push(leaf, (value.array, value.ends[0]), (Array::Kept, kept));
        if !value.is_asked_for_again() {
            after.push(leaf, (Array::Kept, kept), (value.array, value.ends[1]));
        }
    }
    let before = before.into_loop(routine);
    routine.loops.extend(before);
    after.into_loop(routine)
}

impl Handed {
    /// Unknowns are, and what is made of them; what the elimination takes off a row is read once.
    fn is_asked_for_again(&self) -> bool {
        matches!(
            self.array,
            Array::Solution | Array::SolutionBeside | Array::Motion | Array::Load | Array::Shared
        )
    }

    /// Reads it from, and writes it to, the place where it is kept.
    fn redirect(&self, kernels: &mut [Kernel], it: &mut Loop, kept: usize) {
        for &read in &self.reads {
            redirect_read(kernels, it, read, kept);
        }
        let (item, k) = self.write;
        let there = redirect_write(kernels, it, (item, k), kept);
        let kernel = &mut kernels[it.body[item].0];
        if self.is_asked_for_again() {
            kernel.roots.push(kernel.roots[k]);
            kernel.writes.push(there);
        }
    }
}

/// A leaf for what loops keep and hand on.
pub(super) fn new_leaf(
    graph: &mut Graph,
    symbols: &mut Vec<Symbol>,
    name: &str,
) -> (SymbolId, ExprId) {
    let symbol = Symbol::add(symbols, Role::Scratch, name.to_owned());
    (symbol, graph.symbol(symbol))
}

/// Values copied from place to place.
#[derive(Default)]
struct Copies {
    kernel: Kernel,
    places: Vec<usize>,
}

impl Copies {
    fn push(
        &mut self,
        (symbol, leaf): (SymbolId, ExprId),
        from: (Array, usize),
        to: (Array, usize),
    ) {
        self.kernel.reads.push((symbol, from.0, self.places.len()));
        self.kernel.roots.push(leaf);
        self.kernel
            .writes
            .push(Write::Set(to.0, self.places.len() + 1));
        self.places.extend([from.1, to.1]);
    }

    fn into_loop(self, routine: &mut Routine) -> Option<Loop> {
        let some = !self.places.is_empty();
        some.then(|| Loop::once(routine.add(self.kernel), self.places))
    }
}

/// The values that are read in the round after they were written.
fn handed(kernels: &[Kernel], graph: &Graph, it: &Loop) -> Vec<Handed> {
    let mut found = Vec::new();
    for (item, (kernel, indices)) in it.body.iter().enumerate() {
        for (k, write) in kernels[*kernel].writes.iter().enumerate() {
            let &Write::Set(array, place) = write else {
                continue;
            };
            let Some(read) = indices[place].previous() else {
                continue;
            };
            let reads = readers(kernels, graph, it, (item, k), (array, read));
            let ends = [read.at(0), indices[place].at(it.rounds - 1)];
            if let ([Some(first), Some(last)], false) = (ends, reads.is_empty()) {
                found.push(Handed {
                    array,
                    write: (item, k),
                    reads,
                    ends: [first, last],
                });
            }
        }
    }
    found
}

/// The reads of what an item has written in the round before.
fn readers(
    kernels: &[Kernel],
    graph: &Graph,
    it: &Loop,
    write: (usize, usize),
    (array, place): (Array, Index),
) -> Vec<(usize, usize)> {
    let others = written(kernels, it, array).into_iter();
    let others: Vec<Written> = others.filter(|&(item, k, _)| (item, k) != write).collect();
    let mut found = Vec::new();
    // An item after the writer would find the value of its own round.
    for (item, (kernel, indices)) in it.body.iter().enumerate().take(write.0 + 1) {
        let kernel = &kernels[*kernel];
        let used = graph.reachable(kernel.roots.iter().copied());
        let used = |symbol| {
            used.iter()
                .any(|&id| matches!(*graph.node(id), Node::Symbol(s) if s == symbol))
        };
        for (k, &(symbol, from, at)) in kernel.reads.iter().enumerate() {
            let alone = |other: &Written| leaves_alone(it, *other, item, place, write);
            if from == array && indices[at] == place && used(symbol) && others.iter().all(alone) {
                found.push((item, k));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Function;

    fn even(first: usize) -> Index {
        Index::Even { first, step: 1 }
    }

    /// In ten rounds an item makes exp(x_i) + exp(x_(i+1)); another, before it or after it, writes x at `to`.
    fn kept(to: Index, before: bool) -> usize {
        let (mut graph, mut symbols) = (Graph::new(), Vec::new());
        let [here, next, given] =
            ["x", "y", "z"].map(|name| new_leaf(&mut graph, &mut symbols, name));
        let exp = |graph: &mut Graph, x| graph.call(Function::Exp, &[x]);
        let terms = [here.1, next.1].map(|x| exp(&mut graph, x));
        let reader = Kernel {
            reads: vec![(here.0, Array::Solution, 0), (next.0, Array::Solution, 1)],
            roots: vec![graph.add(terms[0], terms[1])],
            writes: vec![Write::Set(Array::Output, 0)],
        };
        let writer = Kernel {
            reads: vec![(given.0, Array::Position, 0)],
            roots: vec![given.1],
            writes: vec![Write::Set(Array::Solution, 0)],
        };
        let mut body = vec![(0, vec![even(0), even(1)]), (1, vec![to])];
        if before {
            body.reverse();
        }
        let it = Loop {
            body,
            rounds: 10,
            table: Vec::new(),
            per_column: false,
        };
        let mut routine = Routine {
            kernels: vec![reader, writer],
            loops: vec![it],
            ..Routine::default()
        };
        replace(&mut routine, 0, &mut graph, &mut symbols);
        let kernels = routine.kernels.iter();
        let places = kernels.flat_map(|kernel| &kernel.reads);
        places.filter(|read| read.1 == Array::Kept).count()
    }

    #[test]
    fn the_next_round_finds_the_exponential() {
        // Far ahead, or where all has been read.
        assert_eq!(kept(even(20), false), 1);
        assert_eq!(kept(even(0), false), 1);
    }

    #[test]
    fn what_is_written_in_between_is_read_again() {
        // x_(i+1) of the next round, before it is read there.
        assert_eq!(kept(even(0), true), 0);
    }

    #[test]
    fn what_is_written_for_the_next_round_is_handed_on() {
        // x_(i+1) after it is read: no exponential can be kept, the value is.
        assert_eq!(kept(even(1), false), 1);
        assert_eq!(kept(Index::Table(0, 0), false), 0);
    }
}
