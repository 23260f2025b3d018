//! What one element contributes: parts of J M⁻¹ Jᵀ and of right-hand sides, and the values that its motion is computed from.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::routine::{Array, Read, Slot, Write};
use crate::dynamics::Frame;
use crate::expr::{ExprId, Map, SymbolId};
use crate::solve::SparseRow;

/// What elements of one kind prepare: one part of it for the equations of their joints, one for their own motion, each
/// in places of its own that follow each other.
#[derive(Default)]
pub(super) struct Contribution {
    /// What is prepared.
    pub roots: Vec<ExprId>,
    /// Where it stands: its array, and the place among the element's own.
    pub(super) places: Vec<(Array, usize)>,
    /// The numbers of K by two rows of the element's joints, all counted one after the other, the second not the larger.
    pub blocks: Map<(usize, usize), usize>,
    /// The numbers of what goes to the right-hand sides of those rows.
    pub right: Map<usize, usize>,
    /// By expression, a leaf that is read where it was kept, and its number.
    pub kept: Map<ExprId, (SymbolId, ExprId, usize)>,
    /// What is made of the unknowns, and where it goes: the array, and its place among the element's own.
    pub outputs: Vec<(ExprId, Array, usize)>,
    /// The leaves of the unknowns.
    pub unknowns: Vec<(SymbolId, ExprId)>,
    /// What is made of velocities that were moved.
    pub again: Again,
}

/// What is made of unknowns, of all that a kind of elements contributes.
pub(super) type Moved = fn(&Contribution) -> &[(ExprId, Array, usize)];

/// The same once more: what stands in the places from `first` on, what of it goes to right-hand sides, and motion.
#[derive(Default)]
pub(super) struct Again {
    pub first: Option<usize>,
    pub right: Map<usize, usize>,
    pub outputs: Vec<(ExprId, Array, usize)>,
}

/// What one routine prepares: by kind what, and by element where its places for equations and for motion begin.
pub(super) struct Prepared {
    pub contributions: Vec<Contribution>,
    pub(super) kinds: Vec<usize>,
    pub(super) base: Vec<[usize; 2]>,
}

impl Prepared {
    /// What an element gives.
    pub fn of(&self, e: usize) -> &Contribution {
        &self.contributions[self.kinds[e]]
    }

    /// Where the number-th of that stands.
    pub fn place(&self, e: usize, number: usize) -> usize {
        let (array, place) = self.of(e).places[number];
        self.base[e][usize::from(array == Array::Moving)] + place
    }

    /// Where these stand.
    pub fn places(&self, e: usize, numbers: Range<usize>) -> impl Iterator<Item = usize> {
        numbers.map(move |number| self.place(e, number))
    }
}

impl Contribution {
    /// How many are prepared before anything is eliminated.
    pub fn split(&self) -> usize {
        self.again.first.unwrap_or(self.roots.len())
    }

    /// What is read from where it was kept, for an element whose places begin at that index.
    pub fn kept_from(&self, base: usize) -> impl Iterator<Item = (SymbolId, Array, usize)> {
        let mut kept: Vec<_> = self.kept.values().copied().collect();
        kept.sort_unstable();
        let kept = kept.into_iter();
        kept.map(move |(symbol, _, number)| (symbol, Array::Moving, base + number))
    }

    /// The writes of these, whose places begin at that index.
    pub fn writes(&self, base: usize, numbers: Range<usize>) -> Vec<Write> {
        let places = self.places[numbers].iter().zip(base..);
        places
            .map(|(&(array, _), at)| Write::Set(array, at))
            .collect()
    }

    pub fn add(&mut self, root: ExprId, array: Array) -> usize {
        let place = self.len_in(array);
        self.places.push((array, place));
        self.roots.push(root);
        self.roots.len() - 1
    }

    pub(super) fn len_in(&self, array: Array) -> usize {
        self.places.iter().filter(|it| it.0 == array).count()
    }
}

/// J at one element, row by row, with its bodies in their own frames or in the world; M⁻¹ and M⁻¹ h there.
#[derive(Clone)]
pub(super) struct Local {
    pub jacobian: Vec<SparseRow>,
    pub(super) world: Vec<SparseRow>,
    pub(super) inverse: BTreeMap<(usize, usize), ExprId>,
    pub free: BTreeMap<usize, ExprId>,
    pub(super) frame: Option<Frame>,
}

/// Roots with what they read of all that their kind of elements may read.
pub(super) struct Used {
    pub shape: usize,
    /// Positions among the slots of the kind.
    pub(super) places: Vec<usize>,
    pub reads: Vec<Read>,
    pub roots: Vec<ExprId>,
}

impl Used {
    /// Where they stand for an element that speaks of these places.
    pub fn indices(&self, slots: &[Slot]) -> Vec<usize> {
        self.places
            .iter()
            .map(|&place| slots[place].index())
            .collect()
    }
}
