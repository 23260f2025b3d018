//! Signatures: what must agree for two items to share a kernel.

use super::leaves::{ArrayName, Slot};
use super::members::Families;
use crate::expr::CollectVec;

/// A signature under construction, with the slots of its item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature<A> {
    /// Two items share a kernel if their words are equal.
    pub words: Vec<usize>,
    /// Each once, in the order of their first appearance.
    pub slots: Vec<Slot<A>>,
}

impl<A> Default for Signature<A> {
    fn default() -> Signature<A> {
        Signature {
            words: Vec::new(),
            slots: Vec::new(),
        }
    }
}

impl<A: ArrayName> Signature<A> {
    /// Adds a slot, by its number among those of this item.
    pub fn slot(&mut self, slot: Slot<A>) {
        let known = self.slots.iter().position(|&other| other == slot);
        let number = known.unwrap_or_else(|| {
            self.slots.push(slot);
            self.slots.len() - 1
        });
        self.words.push(number);
    }

    /// Adds a member of families.
    pub fn member(&mut self, families: &Families<A>, member: usize) {
        self.words.push(families.of[member]);
        for &slot in &families.slots[member] {
            self.slot(slot);
        }
    }
}

/// The indices of slots in their arrays.
pub fn indices_of<A>(slots: &[Slot<A>]) -> Vec<usize> {
    slots.iter().map(Slot::index).collect_vec()
}
