//! Values that one item writes for a later one of its round, or for the next round.

use super::super::leaves::{ArrayName, NewLeaf, Read};
use super::super::rerolling::{Index, Loop};
use super::super::routine::{Kernel, Routine, Store, Write};
use super::writes::{Written, leaves_alone, written};
use crate::expr::{CollectVec, ExprId, Graph, MapEach, Node, PushEach, SymbolId};

/// Array contraction: keeps elements of arrays that are read once, if the item that reads them is in this loop. Returns a loop
/// to follow it.
pub(super) fn contract<W: Write>(
    routine: &mut Routine<W>,
    graph: &mut Graph,
    new_leaf: &mut NewLeaf<'_>,
    it: &mut Loop,
) -> Option<Loop> {
    let (mut before, mut after) = (Copies::none(), Copies::none());
    let arrays = W::Array::READ_ONCE.iter();
    let written = arrays.flat_map(|&array| {
        let all = written(&routine.kernels, it, array).into_iter();
        all.map(move |written| (array, written))
    });
    let written: Vec<_> = written.collect_vec();
    for (array, (item, k, place)) in written {
        let reader = |place: Index| {
            let mut items = it.body.iter().enumerate().skip(item + 1);
            items.find_map(|(other, (kernel, indices))| {
                let mut reads = routine.kernels[*kernel].reads.iter();
                let here = |read: &Read<W::Array>| read.1 == array && indices[read.2] == place;
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
        let leaf = new_leaf(graph, "handed");
        let (kernel, indices) = &mut it.body[read.0];
        let kernel = &mut routine.kernels[*kernel];
        kernel.reads.push((leaf.0, W::Array::KEPT, indices.len()));
        kernel.roots.push(leaf.1);
        let store = Store::set(W::Array::KEPT, indices.len() + 1);
        kernel.writes.push(W::from(store));
        indices.push_each([now, waiting].map_each(Index::Constant));
        before.push(leaf, (array, first), (W::Array::KEPT, waiting));
        after.push(leaf, (W::Array::KEPT, waiting), (array, last));
    }
    let before = before.into_loop(routine);
    routine.loops.push_each(before);
    after.into_loop(routine)
}

/// Lets an item read a value from the place where it is kept.
fn redirect_read<W: Write>(
    kernels: &mut [Kernel<W>],
    it: &mut Loop,
    (item, k): (usize, usize),
    kept: usize,
) {
    let (kernel, indices) = &mut it.body[item];
    let (_, array, place) = &mut kernels[*kernel].reads[k];
    (*array, *place) = (W::Array::KEPT, indices.len());
    indices.push(Index::Constant(kept));
}

/// Lets an item write a value to the place where it is kept; returns the former destination.
fn redirect_write<W: Write>(
    kernels: &mut [Kernel<W>],
    it: &mut Loop,
    (item, k): (usize, usize),
    kept: usize,
) -> W {
    let (kernel, indices) = &mut it.body[item];
    let here = W::from(Store::set(W::Array::KEPT, indices.len()));
    indices.push(Index::Constant(kept));
    std::mem::replace(&mut kernels[*kernel].writes[k], here)
}

/// A value written in one round and read in the next.
struct Handed<A> {
    array: A,
    /// The item that writes it, and which of its writes.
    write: (usize, usize),
    /// The items that read it, and which of their reads.
    reads: Vec<(usize, usize)>,
    /// Where the first round finds it, and where the last leaves it.
    ends: [usize; 2],
}

/// Keeps values that one round writes for the next. Returns a loop to follow this one.
pub(super) fn keep<W: Write>(
    routine: &mut Routine<W>,
    graph: &mut Graph,
    new_leaf: &mut NewLeaf<'_>,
    it: &mut Loop,
) -> Option<Loop> {
    let (mut before, mut after) = (Copies::none(), Copies::none());
    for value in handed(&routine.kernels, graph, it) {
        let kept = routine.kept;
        routine.kept += 1;
        value.redirect(&mut routine.kernels, it, kept);
        let leaf = new_leaf(graph, "handed");
        before.push(leaf, (value.array, value.ends[0]), (W::Array::KEPT, kept));
        if !value.array.outlives_loop() {
            after.push(leaf, (W::Array::KEPT, kept), (value.array, value.ends[1]));
        }
    }
    let before = before.into_loop(routine);
    routine.loops.push_each(before);
    after.into_loop(routine)
}

impl<A: ArrayName> Handed<A> {
    /// Lets all items read it from, and write it to, the place where it is kept.
    fn redirect<W: Write<Array = A>>(&self, kernels: &mut [Kernel<W>], it: &mut Loop, kept: usize) {
        for &read in &self.reads {
            redirect_read(kernels, it, read, kept);
        }
        let (item, k) = self.write;
        let there = redirect_write(kernels, it, (item, k), kept);
        let kernel = &mut kernels[it.body[item].0];
        if self.array.outlives_loop() {
            kernel.roots.push(kernel.roots[k]);
            kernel.writes.push(there);
        }
    }
}

/// The values that are read in the round after they were written.
fn handed<W: Write>(kernels: &[Kernel<W>], graph: &Graph, it: &Loop) -> Vec<Handed<W::Array>> {
    let mut found = Vec::new();
    for (item, (kernel, indices)) in it.body.iter().enumerate() {
        for (k, write) in kernels[*kernel].writes.iter().enumerate() {
            let Some(Store {
                array,
                place,
                adds: false,
            }) = write.store()
            else {
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
fn readers<W: Write>(
    kernels: &[Kernel<W>],
    graph: &Graph,
    it: &Loop,
    write: (usize, usize),
    (array, place): (W::Array, Index),
) -> Vec<(usize, usize)> {
    let others = written(kernels, it, array).into_iter();
    let others: Vec<Written> = others
        .filter(|&(item, k, _)| (item, k) != write)
        .collect_vec();
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

/// Values copied from place to place.
struct Copies<W: Write> {
    kernel: Kernel<W>,
    places: Vec<usize>,
}

impl<W: Write> Copies<W> {
    fn none() -> Copies<W> {
        Copies {
            kernel: Kernel::default(),
            places: Vec::new(),
        }
    }

    fn push(
        &mut self,
        (symbol, leaf): (SymbolId, ExprId),
        from: (W::Array, usize),
        to: (W::Array, usize),
    ) {
        let place = self.places.len();
        self.kernel.reads.push((symbol, from.0, place));
        self.kernel.roots.push(leaf);
        let store = Store::set(to.0, place + 1);
        self.kernel.writes.push(W::from(store));
        self.places.push_each([from.1, to.1]);
    }

    fn into_loop(self, routine: &mut Routine<W>) -> Option<Loop> {
        let some = !self.places.is_empty();
        some.then(|| Loop::once(routine.add(self.kernel), self.places))
    }
}
