//! The places of the elimination's entries, and an elimination that several quantities share.

use super::super::routine::{Array, Kernel, Stage, Write};
use super::structure::{Allotted, Filled};
use crate::expr::{Map, SortedMap};
use crate::families::Item;

/// The places of the entries of the elimination.
#[derive(Clone, Default)]
pub(super) struct Places {
    pub(super) fill: Allotted,
    pub(super) lower: Allotted,
    pub(super) filled: Filled,
}

/// An elimination that has been made, for what is solved with the same right-hand side.
#[derive(Default)]
pub(super) struct Eliminated {
    pub(super) kernels: Vec<Kernel>,
    /// Joint by joint.
    pub(super) items: SortedMap<usize, Item>,
    pub(super) places: Places,
}

impl Eliminated {
    /// Remembers what was pushed last.
    pub(super) fn remember(&mut self, stage: &Stage<'_>, known: &mut Map<usize, usize>, j: usize) {
        let Some(item) = stage.items().last() else {
            return;
        };
        let next = self.kernels.len();
        let kernel = *known.entry(item.kernel).or_insert(next);
        if kernel == next {
            self.kernels.push(stage.kernel(item.kernel).clone());
        }
        let indices = item.indices.clone();
        self.items.insert(j, Item { kernel, indices });
    }

    pub(super) fn repeat(&self, stage: &mut Stage<'_>, j: usize) {
        let item = &self.items[&j];
        let kernel = || self.kernels[item.kernel].clone();
        stage.push(vec![item.kernel], item.indices.clone(), kernel);
    }
}

/// An entry as it is when its joint goes: what elements give, minus what earlier joints have taken. Numbers are
/// positions among the item's indices.
pub(super) struct Entry {
    pub given: Vec<usize>,
    /// What a joint computes itself.
    pub part: Option<Part>,
    pub taken: Option<(Array, usize)>,
}

/// A part of the equations of joints.
#[derive(Clone, Copy)]
pub(super) enum Part {
    /// The entry of two rows.
    Entry(usize, usize),
    /// The right-hand side of a row.
    Right(usize),
}

/// A target of an update.
pub(super) struct Target {
    pub array: Array,
    pub place: usize,
    /// Whether there is an entry.
    pub before: bool,
}

impl Target {
    pub fn write(&self) -> Write {
        if self.before {
            Write::Add(self.array, self.place)
        } else {
            Write::Set(self.array, self.place)
        }
    }
}

/// An item under construction: its kind, and its places.
#[derive(Default)]
pub(super) struct Plan {
    pub words: Vec<usize>,
    pub indices: Vec<usize>,
}

impl Plan {
    pub fn index(&mut self, index: usize) -> usize {
        self.indices.push(index);
        self.indices.len() - 1
    }
}

impl Places {
    /// The place of an entry of L that is not zero.
    pub fn known_lower(&mut self, block: (usize, usize), entry: (usize, usize)) -> Option<usize> {
        let place = self.lower.place(block, entry);
        let known = self.filled.contains(&(Array::Lower, place));
        known.then_some(place)
    }

    /// Blocks are identified by their joints, the larger number first.
    pub(super) fn fill_place(&mut self, (i, j): (usize, usize), (a, b): (usize, usize)) -> usize {
        if i > j {
            self.fill.place((i, j), (a, b))
        } else {
            self.fill.place((j, i), (b, a))
        }
    }
}
