//! Routines: kernels, and loops over them, with the stages that they are made from.

use std::fmt::Debug;
use std::hash::Hash;

use super::leaves::{ArrayName, Leaves, Read};
use super::members::Families;
use super::rerolling::{self, Item, Loop, MIN_ROUNDS};
use super::signature::indices_of;
use crate::expr::{CollectVec, ExprId, Graph, Map, PushEach, SortedMap, SortedSet, sort_by_key};

/// An element of an array that a result is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Store<A> {
    /// The array.
    pub array: A,
    /// Which of an item's indices is the place there.
    pub place: usize,
    /// Whether the result is added to the element. Otherwise it replaces it.
    pub adds: bool,
}

impl<A> Store<A> {
    /// A result that replaces an element.
    pub fn set(array: A, place: usize) -> Store<A> {
        Store {
            array,
            place,
            adds: false,
        }
    }
}

/// The destination of a result: an array, or something that only the caller knows.
pub trait Write: Copy + Debug + Eq + Hash + From<Store<Self::Array>> {
    /// The arrays.
    type Array: ArrayName;

    /// The element that is written, if the destination is an array.
    fn store(self) -> Option<Store<Self::Array>>;
}

/// Straight-line code that several items share; places are positions in [`Item::indices`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Kernel<W: Write> {
    /// Leaves that are read from arrays.
    pub reads: Vec<Read<W::Array>>,
    /// The results.
    pub roots: Vec<ExprId>,
    /// Their destinations.
    pub writes: Vec<W>,
}

impl<W: Write> Default for Kernel<W> {
    fn default() -> Kernel<W> {
        Kernel {
            reads: Vec::new(),
            roots: Vec::new(),
            writes: Vec::new(),
        }
    }
}

impl<W: Write> Kernel<W> {
    /// Adds a result with its destination.
    pub fn push(&mut self, root: ExprId, write: W) {
        self.roots.push(root);
        self.writes.push(write);
    }
}

/// Kernels, and loops over them in the order of execution.
#[derive(Clone, Debug)]
pub struct Routine<W: Write> {
    /// The kernels.
    pub kernels: Vec<Kernel<W>>,
    /// The loops of one stage after the other, and the steps of the caller's between them.
    pub loops: Vec<Loop>,
    /// The number of values that rounds keep for the next.
    pub kept: usize,
    /// The number of columns, for each of which loops over columns are run.
    pub columns: usize,
}

impl<W: Write> Default for Routine<W> {
    fn default() -> Routine<W> {
        Routine {
            kernels: Vec::new(),
            loops: Vec::new(),
            kept: 0,
            columns: 0,
        }
    }
}

/// Consecutive loops that are run once, or once for each column.
pub fn by_column(loops: &[Loop]) -> impl Iterator<Item = (bool, &[Loop])> {
    let groups = loops.chunk_by(|one, next| one.per_column == next.per_column);
    groups.map(|group| (group[0].per_column, group))
}

/// How the items of a stage become loops.
#[derive(Clone, Copy, Debug)]
pub enum Order {
    /// In the order in which they are pushed, in loops of at least so many rounds.
    Pushed(usize),
    /// They do not depend on each other: those of one kernel follow one another.
    Any,
}

/// Items of one stage, and their kernels.
pub struct Stage<'r, W: Write> {
    routine: &'r mut Routine<W>,
    known: Map<Vec<usize>, usize>,
    items: Vec<Item>,
}

impl<W: Write> Stage<'_, W> {
    /// Adds an item and returns its kernel, which `make` makes for the first item with these words. Items with different
    /// numbers of indices have different kernels.
    pub fn push(
        &mut self,
        mut words: Vec<usize>,
        indices: Vec<usize>,
        make: impl FnOnce() -> Kernel<W>,
    ) -> usize {
        let next = self.routine.kernels.len();
        words.push(indices.len());
        let kernel = *self.known.entry(words).or_insert(next);
        if kernel == next {
            self.routine.kernels.push(make());
        }
        self.items.push(Item { kernel, indices });
        kernel
    }

    /// The items so far.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// A kernel.
    pub fn kernel(&self, number: usize) -> &Kernel<W> {
        &self.routine.kernels[number]
    }
}

impl<W: Write> Routine<W> {
    /// A routine of one stage.
    pub fn of(fill: impl FnOnce(&mut Stage<'_, W>)) -> Routine<W> {
        Routine::of_ordered(Order::Pushed(MIN_ROUNDS), fill)
    }

    /// A routine of one stage in that order.
    pub fn of_ordered(order: Order, fill: impl FnOnce(&mut Stage<'_, W>)) -> Routine<W> {
        let mut routine = Routine::default();
        routine.stage_in(order, fill);
        routine
    }

    /// Adds all of another, which begins where this one ends.
    pub fn append(&mut self, mut next: Routine<W>) {
        let first = self.kernels.len();
        let items = next.loops.iter_mut().flat_map(|it| &mut it.body);
        items.for_each(|(kernel, _)| *kernel += first);
        self.kernels.append(&mut next.kernels);
        self.loops.append(&mut next.loops);
        self.kept = self.kept.max(next.kept);
        self.columns = self.columns.max(next.columns);
    }

    /// Adds a step of the caller's.
    pub fn step(&mut self, number: usize) {
        self.loops.push(Loop::of_step(number));
    }

    /// The numbers of the caller's steps.
    pub fn steps(&self) -> impl Iterator<Item = usize> {
        self.loops.iter().filter_map(|it| it.step)
    }

    /// Adds a stage of the items that `fill` pushes.
    pub fn stage(&mut self, fill: impl FnOnce(&mut Stage<'_, W>)) {
        self.stage_in(Order::Pushed(MIN_ROUNDS), fill);
    }

    /// Adds a stage in that order.
    pub fn stage_in(&mut self, order: Order, fill: impl FnOnce(&mut Stage<'_, W>)) {
        let mut items = self.items(fill);
        let rounds = match order {
            Order::Pushed(rounds) => rounds,
            Order::Any => {
                sort_by_key(&mut items, |item| item.kernel);
                MIN_ROUNDS
            }
        };
        self.loops.push_each(rerolling::roll(&items, rounds));
    }

    fn items(&mut self, fill: impl FnOnce(&mut Stage<'_, W>)) -> Vec<Item> {
        let mut stage = Stage {
            routine: self,
            known: Map::default(),
            items: Vec::new(),
        };
        fill(&mut stage);
        stage.items
    }

    /// Expressions, those of one family in loops: `write` gives the destination of the i-th, whose index is `place(i)`.
    pub fn of_terms<L: Leaves<Array = W::Array>>(
        graph: &Graph,
        leaves: &L,
        terms: &[ExprId],
        place: impl Fn(usize) -> usize,
        write: impl Fn(usize) -> W,
    ) -> Routine<W> {
        let families = Families::of(graph, leaves, terms);
        Routine::of_members(graph, leaves, &families, terms, place, write)
    }

    /// The same for expressions whose families are known.
    pub fn of_members<L: Leaves<Array = W::Array>>(
        graph: &Graph,
        leaves: &L,
        families: &Families<W::Array>,
        terms: &[ExprId],
        place: impl Fn(usize) -> usize,
        write: impl Fn(usize) -> W,
    ) -> Routine<W> {
        Routine::of(|stage| {
            for (i, &term) in terms.iter().enumerate() {
                let slots = &families.slots[i];
                let mut indices = indices_of(slots);
                indices.push(place(i));
                stage.push(vec![families.of[i]], indices, || Kernel {
                    reads: leaves.reads(graph, slots),
                    roots: vec![term],
                    writes: vec![write(slots.len())],
                });
            }
        })
    }

    /// Adds a kernel and returns its number.
    pub(super) fn add(&mut self, kernel: Kernel<W>) -> usize {
        self.kernels.push(kernel);
        self.kernels.len() - 1
    }

    /// Removes kernels that no loop calls.
    pub(super) fn drop_unused(&mut self) {
        let items = self.loops.iter_mut().flat_map(|it| &mut it.body);
        let mut items: Vec<&mut usize> = items.map(|(kernel, _)| kernel).collect_vec();
        let used: SortedSet<usize> = items.iter().map(|kernel| **kernel).collect();
        let number: SortedMap<usize, usize> = used.iter().copied().zip(0..).collect();
        for kernel in &mut items {
            **kernel = number[&**kernel];
        }
        let mut kernels = 0..;
        let mut is_used =
            |_: &Kernel<W>| kernels.next().is_some_and(|kernel| used.contains(&kernel));
        self.kernels.retain(&mut is_used);
    }
}
