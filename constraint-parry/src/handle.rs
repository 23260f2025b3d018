//! Names of colliders.

use std::sync::atomic::{AtomicU32, Ordering};

/// Identifies a collider. Its number is never used for another one, not even after the collider has been removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColliderHandle {
    pub(crate) set: u32,
    pub(crate) number: u32,
}

impl ColliderHandle {
    /// Its number in the order in which colliders were added, from 0: the one in messages.
    pub fn number(&self) -> usize {
        self.number as usize
    }
}

/// Handles carry it, so that other colliders reject them.
pub(crate) fn next_set() -> u32 {
    static SETS: AtomicU32 = AtomicU32::new(0);
    SETS.fetch_add(1, Ordering::Relaxed)
}
