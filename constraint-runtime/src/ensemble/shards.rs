//! An ensemble cut into pieces that machines can share.

use core::num::NonZero;
use core::ops::Range;

use crate::error::Error;

/// An ensemble cut into shards of equal size: the copies of a shard depend only on its number.
///
/// Each shard [runs alone](super::Ensemble::only), in any process or on any machine, and the results of shards are
/// [merged](super::Statistics::merge) in any order.
///
/// ```
/// use core::num::NonZero;
///
/// use constraint_runtime::Error;
/// use constraint_runtime::ensemble::Shards;
///
/// let shards = Shards::new(1000, NonZero::new(256).unwrap())?;
/// assert_eq!(shards.count(), 4);
/// assert_eq!(shards.copies(3)?, 768..1000);
/// assert_eq!(shards.copies(4), Err(Error::UnknownShard { shard: 4, shards: 4 }));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shards {
    copies: usize,
    size: NonZero<usize>,
}

impl Shards {
    /// Shards of `size` copies; the last one holds the remainder.
    ///
    /// # Errors
    /// [`Error::NoCopies`] for an empty ensemble.
    pub fn new(copies: usize, size: NonZero<usize>) -> Result<Self, Error> {
        if copies == 0 {
            return Err(Error::NoCopies);
        }
        Ok(Self { copies, size })
    }

    /// The number of shards: at least one.
    pub fn count(&self) -> usize {
        self.copies.div_ceil(self.size.get())
    }

    /// The copies of a shard: at least one.
    ///
    /// # Errors
    /// [`Error::UnknownShard`]
    pub fn copies(&self, shard: usize) -> Result<Range<usize>, Error> {
        let shards = self.count();
        if shard >= shards {
            return Err(Error::UnknownShard { shard, shards });
        }
        let start = shard * self.size.get();
        Ok(start..self.copies.min(start.saturating_add(self.size.get())))
    }
}
