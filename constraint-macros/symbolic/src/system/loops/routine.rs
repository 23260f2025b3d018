//! What loops are made of: arrays, kernels that read and write them, and the items of a stage that share kernels.

use super::families::Families;
use super::rerolling::{self, Item, Loop};
use super::signature::{indices_of, reads_of};
use crate::expr::{ExprId, Map, SymbolId};
use crate::model::System;

/// An array of the generated function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Array {
    /// q
    Position,
    /// v
    Velocity,
    /// b
    RightHandSide,
    /// a
    Acceleration,
    /// What the elimination takes off the diagonal.
    Diagonal,
    /// What it takes off the right-hand side.
    Right,
    /// What it takes off the other entries.
    Fill,
    /// L
    Lower,
    /// What bodies prepare: their parts of J M⁻¹ Jᵀ and of the right-hand side, and what their motion is made of.
    Prepared,
    /// The right-hand side over the pivots, then the unknowns.
    Solution,
    /// One over the pivots.
    Inverse,
    /// What one round of a loop keeps for the next.
    Kept,
    /// What the function gives back.
    Output,
    /// λ, where the function gives it back beside v̇.
    Multipliers,
    /// A component of the elements of a parameter that is an array.
    Parameter(usize, usize),
    /// A component of the elements of an input that is an array.
    Input(usize, usize),
}

impl Array {
    /// Whether the function is given it.
    pub fn is_argument(self) -> bool {
        matches!(
            self,
            Array::Position | Array::Velocity | Array::RightHandSide | Array::Acceleration
        )
    }
}

/// What is done with a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Write {
    /// The first to write there.
    Set(Array, usize),
    /// Added to what stands there.
    Add(Array, usize),
    /// A pivot that must be positive beyond rounding of the next result, in the row of that index.
    Pivot(usize),
    /// The scale a pivot is judged by.
    Diagonal,
}

/// Straight-line code that several items share; indices are positions in [`Item::indices`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Kernel {
    /// Leaves that are read from arrays.
    pub reads: Vec<(SymbolId, Array, usize)>,
    /// The results.
    pub roots: Vec<ExprId>,
    /// Where they go.
    pub writes: Vec<Write>,
}

/// Kernels, and loops over them in the order of execution.
#[derive(Clone, Debug, Default)]
pub struct Routine {
    /// The kernels.
    pub kernels: Vec<Kernel>,
    /// The loops of one stage after the other.
    pub loops: Vec<Loop>,
    /// The number of values that rounds keep for the next.
    pub kept: usize,
    /// The number of values that bodies prepare.
    pub prepared: usize,
}

/// Items of one stage, and their kernels.
pub(super) struct Stage<'r> {
    routine: &'r mut Routine,
    known: Map<Vec<usize>, usize>,
    items: Vec<Item>,
}

impl Stage<'_> {
    /// Adds an item, and gives its kernel, which is made for the first of its kind.
    pub(super) fn push(
        &mut self,
        words: Vec<usize>,
        indices: Vec<usize>,
        make: impl FnOnce() -> Kernel,
    ) -> usize {
        let next = self.routine.kernels.len();
        let kernel = *self.known.entry(words).or_insert(next);
        if kernel == next {
            self.routine.kernels.push(make());
        }
        self.items.push(Item { kernel, indices });
        kernel
    }

    pub(super) fn kernel(&self, number: usize) -> &Kernel {
        &self.routine.kernels[number]
    }
}

impl Routine {
    /// Adds a stage of the items that `fill` pushes.
    pub(super) fn stage(&mut self, fill: impl FnOnce(&mut Stage<'_>)) {
        let mut stage = Stage {
            routine: self,
            known: Map::default(),
            items: Vec::new(),
        };
        fill(&mut stage);
        let loops = rerolling::roll(&stage.items);
        self.loops.extend(loops);
    }

    /// Results that nothing is solved for, those of one shape in loops.
    pub fn of_each(system: &System, results: &[ExprId]) -> Routine {
        let graph = &system.model.graph;
        let families = Families::of(graph, system, results);
        Routine::of(|stage| {
            for (i, &result) in results.iter().enumerate() {
                let slots = &families.slots[i];
                let mut indices = indices_of(slots);
                indices.push(i);
                stage.push(vec![families.of[i]], indices, || Kernel {
                    reads: reads_of(graph, system, slots),
                    roots: vec![result],
                    writes: vec![Write::Set(Array::Output, slots.len())],
                });
            }
        })
    }

    /// One stage alone.
    pub(super) fn of(fill: impl FnOnce(&mut Stage<'_>)) -> Routine {
        let mut routine = Routine::default();
        routine.stage(fill);
        routine
    }
}
