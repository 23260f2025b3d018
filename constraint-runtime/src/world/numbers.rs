//! Numbers of bodies and of joints, each used once, and the places where they are stored.

use alloc::vec::Vec;

/// The numbers of what is there, ascending, in the order of storage.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    there: Vec<u64>,
    given: u64,
}

impl Numbers {
    /// A new number, stored last.
    pub(super) fn next(&mut self) -> u64 {
        let number = self.given;
        self.there.push(number);
        self.given += 1;
        number
    }

    /// The number at a place.
    pub(super) fn at(&self, index: usize) -> u64 {
        self.there[index]
    }

    /// All numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.there.iter().copied()
    }

    /// The place of a number; `None` if it has been removed.
    pub(super) fn index(&self, number: u64) -> Option<usize> {
        // As long as nothing has been removed before it, its place is the number itself.
        let place = number as usize;
        if self.there.get(place) == Some(&number) {
            return Some(place);
        }
        self.there.binary_search(&number).ok()
    }

    /// Removes the number at a place; those after it move up.
    pub(super) fn remove(&mut self, index: usize) {
        self.there.remove(index);
    }
}
