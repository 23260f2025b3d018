//! Signatures of items: the families of a row, and of what enters its equation.

use super::leaves::reads_of;
use super::rolling::{Rolling, Side};
use super::routine::{Read, Signature, Slot};

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

    /// The load of a coordinate in a right-hand side.
    pub(super) fn sign_load(&self, signature: &mut Signature, c: usize, side: Side) {
        let loads = match side {
            Side::Acceleration | Side::Variation | Side::Columns | Side::Adjoint => &self.free,
            Side::Force => &self.forced,
            Side::Given | Side::Rate | Side::PlaceCorrection | Side::VelocityCorrection => return,
        };
        let by_acceleration = side == Side::Force && self.by_acceleration[c];
        signature.words.push(usize::from(by_acceleration));
        signature.member(&loads.families, c);
    }
}
