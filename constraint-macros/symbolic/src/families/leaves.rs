//! The arrays of a generated function, and how expressions read them.

use std::fmt::Debug;
use std::hash::Hash;

use crate::expr::{ExprId, Graph, SymbolId};

/// The name of an array, with the facts that scalar replacement and compaction rely on.
pub trait ArrayName: Copy + Debug + Ord + Hash + 'static {
    /// Values that one round of a loop keeps for the next.
    const KEPT: Self;
    /// Results of [`constants::take_out`](super::constants::take_out).
    const CONSTANTS: Self;
    /// Arrays whose elements are set once and then read by one item at most.
    const READ_ONCE: &'static [Self];
    /// Arrays that only the routine itself uses, so that their elements may be renumbered.
    const RENUMBERED: &'static [Self];

    /// Whether no kernel writes it: an argument of the function.
    fn is_given(self) -> bool;

    /// Whether values that one round writes for the next may be read anywhere else as well, in the loop or after it. If not,
    /// each of them is read by one item.
    fn outlives_loop(self) -> bool;

    /// Whether its elements are sums, whose first terms should be set instead of added to 0.
    fn is_sum(self) -> bool;
}

/// A place that members of a family may differ by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot<A> {
    /// One index into several arrays, such as that of a coordinate and its velocity.
    Record(usize),
    /// One element of one array, and the leaf that reads it.
    Element(SymbolId, A, usize),
}

impl<A> Slot<A> {
    /// The index in its array.
    pub fn index(&self) -> usize {
        match *self {
            Slot::Record(index) | Slot::Element(_, _, index) => index,
        }
    }

    /// The index of a record.
    pub fn record(&self) -> Option<usize> {
        match *self {
            Slot::Record(index) => Some(index),
            Slot::Element(..) => None,
        }
    }
}

/// A leaf that members of a family may differ by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf<A> {
    /// An element of an array, at a slot.
    Element(A, Slot<A>),
    /// A component, by its number, of a value that is computed from its companions.
    Composed(usize),
}

/// A leaf, the array that it is read from, and which of an item's indices is its place there.
pub type Read<A> = (SymbolId, A, usize);

/// The leaves of expressions, and the places that they are read from.
pub trait Leaves {
    /// The arrays.
    type Array: ArrayName;

    /// How a leaf varies; `None` if it is the same for all members of a family.
    fn leaf(&self, symbol: SymbolId) -> Option<Leaf<Self::Array>>;

    /// Visits expressions that derivatives of an expression with this leaf may contain as well. They belong to its shape.
    fn for_each_companion(&self, symbol: SymbolId, visit: impl FnMut(ExprId));

    /// Visits the leaves of a record with the arrays that they are read from.
    fn for_each_of_record(
        &self,
        graph: &Graph,
        record: usize,
        visit: impl FnMut(SymbolId, Self::Array),
    );

    /// Reads of the leaves of slots, the first slot at the first of an item's indices.
    fn reads(&self, graph: &Graph, slots: &[Slot<Self::Array>]) -> Vec<Read<Self::Array>> {
        let mut reads = Vec::new();
        for (place, slot) in slots.iter().enumerate() {
            match *slot {
                Slot::Element(symbol, array, _) => reads.push((symbol, array, place)),
                Slot::Record(record) => self.for_each_of_record(graph, record, |symbol, array| {
                    reads.push((symbol, array, place));
                }),
            }
        }
        reads
    }
}

/// Adds a leaf of this name, for a value that a routine computes and reads.
pub type NewLeaf<'a> = dyn FnMut(&mut Graph, &str) -> (SymbolId, ExprId) + 'a;
