//! The contribution of one element: parts of J M⁻¹ Jᵀ and of right-hand sides, and the values that its motion is computed
//! from.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::routine::{Array, Read, Slot, Write};
use crate::dynamics::Frame;
use crate::expr::{ExprId, Map, SymbolId};
use crate::solve::SparseRow;

/// The contribution of elements of one kind: one part for the equations of their joints, one for their own motion, each
/// in consecutive places of its own.
#[derive(Default)]
pub(super) struct Contribution {
    /// The values.
    pub roots: Vec<ExprId>,
    /// Their arrays, and their places among the element's own.
    pub(super) places: Vec<(Array, usize)>,
    /// The numbers of K by two rows of the element's joints, all counted one after the other, the second not the larger.
    pub blocks: Map<(usize, usize), usize>,
    /// The numbers of what goes to the right-hand sides of those rows.
    pub right: Map<usize, usize>,
    /// By expression, a leaf that is read where it was kept, and its number.
    pub kept: Map<ExprId, (SymbolId, ExprId, usize)>,
    /// Results that depend on the unknowns, with their arrays and their places among the element's own.
    pub outputs: Vec<(ExprId, Array, usize)>,
    /// The leaves of the unknowns.
    pub unknowns: Vec<(SymbolId, ExprId)>,
    /// What the second pass computes.
    pub second: SecondPass,
}

/// Which results of a contribution depend on the unknowns: those of the first or of the second pass.
pub(super) type VelocityUpdate = fn(&Contribution) -> &[(ExprId, Array, usize)];

/// The second pass: the first of its roots, the numbers of its right-hand sides, and its results.
#[derive(Default)]
pub(super) struct SecondPass {
    pub first: Option<usize>,
    pub right: Map<usize, usize>,
    pub outputs: Vec<(ExprId, Array, usize)>,
}

/// The contributions to one routine, by kind; and by element where its places for equations and for motion begin.
pub(super) struct Contributions {
    pub of_kind: Vec<Contribution>,
    pub(super) kinds: Vec<usize>,
    pub(super) base: Vec<[usize; 2]>,
}

impl Contributions {
    /// The contribution of an element.
    pub fn of(&self, e: usize) -> &Contribution {
        &self.of_kind[self.kinds[e]]
    }

    /// The place of one of its values.
    pub fn place(&self, e: usize, number: usize) -> usize {
        let (array, place) = self.of(e).places[number];
        self.base[e][usize::from(array == Array::Moving)] + place
    }

    /// The places of some of its values.
    pub fn places(&self, e: usize, numbers: Range<usize>) -> impl Iterator<Item = usize> {
        numbers.map(move |number| self.place(e, number))
    }
}

impl Contribution {
    /// The number of values that are computed before the elimination.
    pub fn split(&self) -> usize {
        self.second.first.unwrap_or(self.roots.len())
    }

    /// The reads of kept values, for an element whose places begin at that index.
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

/// One element in its frame: J row by row, in that frame and in the world; M⁻¹ and M⁻¹ h.
#[derive(Clone)]
pub(super) struct ElementFrame {
    pub jacobian: Vec<SparseRow>,
    pub(super) world: Vec<SparseRow>,
    pub(super) inverse: BTreeMap<(usize, usize), ExprId>,
    pub free: BTreeMap<usize, ExprId>,
    pub(super) frame: Option<Frame>,
}

/// Roots with the leaves that they read, of all that their kind of elements has.
pub(super) struct LiveSet {
    pub shape: usize,
    /// Positions among the slots of the kind.
    pub(super) places: Vec<usize>,
    pub reads: Vec<Read>,
    pub roots: Vec<ExprId>,
}

impl LiveSet {
    /// The indices of the leaves for an element with these slots.
    pub fn indices(&self, slots: &[Slot]) -> Vec<usize> {
        self.places
            .iter()
            .map(|&place| slots[place].index())
            .collect()
    }
}
