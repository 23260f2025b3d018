//! What must agree for two items to share a kernel, and the places they speak of.

use super::families::{Families, Slot};
use super::routine::{Array, Read};
use super::{Rolling, Side};
use crate::expr::{Graph, Node};
use crate::model::System;

/// A signature under construction: what an item is, and the places it speaks of.
#[derive(Default)]
pub(super) struct Signature {
    /// What must agree for two items to share a kernel.
    pub(super) words: Vec<usize>,
    /// Each once.
    pub(super) slots: Vec<Slot>,
}

impl Signature {
    pub(super) fn slot(&mut self, slot: Slot) {
        let known = self.slots.iter().position(|&other| other == slot);
        let number = known.unwrap_or_else(|| {
            self.slots.push(slot);
            self.slots.len() - 1
        });
        self.words.push(number);
    }

    /// A member of families.
    pub(super) fn member(&mut self, families: &Families, member: usize) {
        self.words.push(families.of[member]);
        for &slot in &families.slots[member] {
            self.slot(slot);
        }
    }
}

/// Where slots stand in their arrays.
pub(super) fn indices_of(slots: &[Slot]) -> Vec<usize> {
    slots.iter().map(|slot| slot.index()).collect()
}

/// The leaves of slots by their place among an item's indices.
pub(super) fn reads_of(graph: &Graph, system: &System, slots: &[Slot]) -> Vec<Read> {
    let mut reads = Vec::new();
    for (place, &slot) in slots.iter().enumerate() {
        let coordinate = match slot {
            Slot::Element(symbol, array, _) => {
                reads.push((symbol, array, place));
                continue;
            }
            Slot::Coordinate(c) => &system.coordinates[c],
        };
        for (leaf, array) in [
            (coordinate.position, Array::Position),
            (Some(coordinate.velocity), Array::Velocity),
        ] {
            let node = leaf.map(|leaf| graph.node(leaf));
            if let Some(Node::Symbol(symbol)) = node {
                reads.push((*symbol, array, place));
            }
        }
    }
    reads
}

impl Rolling<'_> {
    pub(super) fn reads_of(&self, slots: &[Slot]) -> Vec<Read> {
        reads_of(&self.derivation.graph, self.system, slots)
    }

    pub(super) fn sign_row(&self, signature: &mut Signature, r: usize) {
        signature.member(&self.rows, r);
    }

    pub(super) fn sign_ratio(&self, signature: &mut Signature, c: usize) {
        signature.member(&self.ratio_families, c);
    }

    /// What acts on a coordinate, as it enters a right-hand side.
    pub(super) fn sign_load(&self, signature: &mut Signature, c: usize, side: Side) {
        let loads = match side {
            Side::Acceleration | Side::Variation | Side::Columns | Side::Adjoint => &self.free,
            Side::Force => &self.forced,
            Side::Given | Side::Rate | Side::PlaceCorrection | Side::VelocityCorrection => return,
        };
        let falls = side == Side::Force && self.falls[c];
        signature.words.push(usize::from(falls));
        signature.member(&loads.families, c);
    }
}
