//! The contribution of one element: parts of J M⁻¹ Jᵀ and of right-hand sides, and the values that its motion is computed
//! from.

use std::ops::Range;

use super::super::eliminated_mass::Pivot;
use super::super::routine::{Array, Read, Write};
use crate::dynamics::Frame;
use crate::expr::{CollectVec, ExprId, Map, MapEach, PushEach, SortedMap};
use crate::solve::SparseRow;

/// The contribution of elements of one kind: one part for the equations of their joints, one for their own motion, each
/// in consecutive places of its own.
#[derive(Default)]
pub(super) struct Contribution {
    /// The values.
    pub roots: Vec<ExprId>,
    /// Their arrays, and their places among the element's own.
    pub(super) places: Vec<(Array, usize)>,
    /// The pivots of M, which are checked before all else.
    pub pivots: Vec<Pivot>,
    /// The numbers of K by two rows of the element's joints, all counted one after the other, the second not the larger.
    pub blocks: Map<(usize, usize), usize>,
    /// The numbers of what goes to the right-hand sides of those rows.
    pub right: Map<usize, usize>,
    /// By expression, a leaf that is read where it was kept.
    pub kept: Map<ExprId, ExprId>,
    /// Results that depend on the unknowns, with their arrays and their places.
    pub outputs: Vec<Output>,
    /// What the second pass computes.
    pub second: SecondPass,
    /// Slopes of its motion that are kept: by which direction, of which velocity, and their numbers.
    pub slopes: Vec<(usize, usize, usize)>,
    /// What is added to matrices after all of their columns.
    pub last: Vec<Output>,
}

/// Which results of a contribution depend on the unknowns: those of the first or of the second pass.
pub(super) type VelocityUpdate = fn(&Contribution) -> &[Output];

/// A result, with its array and its place.
pub(super) type Output = (ExprId, Array, Found);

/// The second pass: the first of its roots, the numbers of its right-hand sides, and its results.
#[derive(Default)]
pub(super) struct SecondPass {
    pub first: Option<usize>,
    pub right: Map<usize, usize>,
    pub outputs: Vec<Output>,
}

/// Arrays of which every element has places of its own.
const OWN: [Array; 3] = [Array::Prepared, Array::Moving, Array::Slopes];

/// The contributions to one routine, by kind; and by element where its places in those arrays begin.
#[derive(Default)]
pub(super) struct Contributions {
    pub of_kind: Vec<Contribution>,
    pub(super) kinds: Vec<usize>,
    pub(super) base: Vec<[usize; OWN.len()]>,
}

impl Contributions {
    /// Gives places to all elements, which are of these kinds.
    pub fn new(of_kind: Vec<Contribution>, kinds: Vec<usize>) -> Contributions {
        let sizes = of_kind
            .iter()
            .map(|it| OWN.map_each(|array| it.len_in(array)));
        let sizes: Vec<[usize; OWN.len()]> = sizes.collect_vec();
        let mut next = [0; OWN.len()];
        let base = kinds.iter().map(|&kind| {
            let before = next;
            next = std::array::from_fn(|k| next[k] + sizes[kind][k]);
            before
        });
        Contributions {
            base: base.collect_vec(),
            kinds,
            of_kind,
        }
    }

    /// The contribution of an element.
    pub fn of(&self, e: usize) -> &Contribution {
        &self.of_kind[self.kinds[e]]
    }

    /// The place of one of its values.
    pub fn place(&self, e: usize, number: usize) -> usize {
        let (array, place) = self.of(e).places[number];
        let base = self.base[e].iter().zip(OWN);
        let base = base.filter(|it| it.1 == array).map(|it| it.0);
        base.sum::<usize>() + place
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

    /// The writes of these, whose places begin at that index.
    pub fn writes(&self, base: usize, numbers: Range<usize>) -> Vec<Write> {
        let places = self.places[numbers].iter().zip(base..);
        places
            .map(|(&(array, _), at)| Write::Set(array, at))
            .collect_vec()
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

/// M⁻¹ of one element, and what is computed with it.
#[derive(Clone, Default)]
pub(super) struct OwnMass {
    /// Both halves.
    pub inverse: SortedMap<(usize, usize), ExprId>,
    /// M⁻¹ h
    pub free: SortedMap<usize, ExprId>,
    /// The pivots to be checked, their rows counted among all velocities.
    pub pivots: Vec<Pivot>,
}

impl OwnMass {
    pub fn set(&mut self, (i, j): (usize, usize), entry: ExprId) {
        self.inverse.extend([((i, j), entry), ((j, i), entry)]);
    }

    pub fn check(&mut self, block: &[usize], pivots: impl IntoIterator<Item = Pivot>) {
        let rows = pivots.into_iter();
        self.pivots.push_each(rows.map(|it| Pivot {
            row: block[it.row],
            ..it
        }));
    }
}

/// One element in its frame: J row by row, in that frame and in the world; M⁻¹ and M⁻¹ h.
#[derive(Clone)]
pub(super) struct ElementFrame {
    pub jacobian: Vec<SparseRow>,
    pub(super) world: Vec<SparseRow>,
    pub mass: OwnMass,
    pub(super) frame: Option<Frame>,
}

/// A place that follows from which site of its kind asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Found {
    /// That slot of its kind.
    Slot(usize),
    /// That row of its joints,
    Row(usize),
    /// and the unknown of that row.
    Unknown(usize),
    /// That one of its own coordinates.
    Position(usize),
    /// That one of its own velocities.
    Column(usize),
    /// Where the elimination keeps W of that velocity.
    Weight(usize),
    /// That value of its contribution.
    Value(usize),
    /// That sum over all sites.
    Sum(usize),
    /// Of that row of its own, that one of the values that the row shares.
    Shared(usize, usize),
    /// That direction of its kind.
    Direction(usize),
    /// Of the matrix ∂v̇ the column of that direction of its kind, and the row of that velocity of its own
    MotionEntry(usize, usize),
    /// or, before the column is solved for, of that row of its joints;
    SideEntry(usize, usize),
    /// of the matrix ∂λ that row of its joints.
    MultiplierEntry(usize, usize),
}

/// Roots with the leaves that they read, of all that their kind of elements has.
pub(super) struct LiveSet {
    pub shape: usize,
    /// Read by read.
    pub found: Vec<Found>,
    pub reads: Vec<Read>,
    pub roots: Vec<ExprId>,
}

impl LiveSet {
    /// The reads of a kernel in which the set's indices begin at that place.
    pub fn reads_from(&self, base: usize) -> impl Iterator<Item = Read> {
        let reads = self.reads.iter();
        reads.map(move |&(symbol, array, place)| (symbol, array, base + place))
    }
}
