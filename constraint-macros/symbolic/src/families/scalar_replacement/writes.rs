//! The writes of a loop, and whether they change what its items read.

use super::super::rerolling::{Index, Loop};
use super::super::routine::{Kernel, Write};
use crate::expr::CollectVec;

/// A write of an item: the item, which of its writes, and where.
pub(super) type Written = (usize, usize, Index);

/// The writes of a loop to an array.
pub(super) fn written<W: Write>(kernels: &[Kernel<W>], it: &Loop, array: W::Array) -> Vec<Written> {
    let items = it.body.iter().enumerate();
    let written = items.flat_map(|(item, (kernel, indices))| {
        let writes = kernels[*kernel].writes.iter().enumerate();
        writes.filter_map(move |(k, write)| {
            let store = write.store().filter(|store| store.array == array)?;
            Some((item, k, indices[store.place]))
        })
    });
    written.collect_vec()
}

/// Whether a write changes neither what an item reads in the first round, nor what it reads in a later one, from the
/// write `after` of the round before on.
pub(super) fn leaves_alone(
    it: &Loop,
    (writer, k, to): Written,
    reader: usize,
    read: Index,
    after: (usize, usize),
) -> bool {
    let apart = |round: usize, read_in: usize| {
        let place = to.at(round);
        place.is_some() && place != read.at(read_in)
    };
    let before = writer < reader;
    let rest_of_round = (writer, k) >= after;
    (!before || apart(0, 0))
        && (1..it.rounds).all(|round| {
            (!before || apart(round, round)) && (!rest_of_round || apart(round - 1, round))
        })
}
