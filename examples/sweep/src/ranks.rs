//! Who runs the shards: this process alone, or the ranks of MPI.

/// The processes that run one sweep together.
pub trait Ranks {
    /// The number of this one.
    fn rank(&self) -> usize;

    /// How many there are.
    fn size(&self) -> usize;

    /// What rank 0 has, on every rank; the last that they say to each other.
    fn broadcast(self, numbers: Vec<u64>) -> Vec<u64>;
}

/// One process.
#[derive(Clone, Copy, Debug)]
pub struct Alone;

impl Ranks for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn broadcast(self, numbers: Vec<u64>) -> Vec<u64> {
        numbers
    }
}

/// The ranks that `mpirun` has started.
#[cfg(feature = "mpi")]
pub struct Mpi(mpi::environment::Universe);

#[cfg(feature = "mpi")]
mod over_mpi {
    use mpi::traits::{Communicator, Root};

    use super::{Mpi, Ranks};

    impl Mpi {
        /// All ranks; `None` where MPI has been initialised before.
        pub fn initialize() -> Option<Self> {
            mpi::initialize().map(Self)
        }
    }

    impl Ranks for Mpi {
        fn rank(&self) -> usize {
            self.0.world().rank() as usize
        }

        fn size(&self) -> usize {
            self.0.world().size() as usize
        }

        /// Finalises MPI at the end, when all ranks are still alive: finalising waits for all ranks, and later it would
        /// wait forever for a killed one.
        fn broadcast(self, mut numbers: Vec<u64>) -> Vec<u64> {
            let world = self.0.world();
            let first = world.process_at_rank(0);
            let mut length = numbers.len() as u64;
            first.broadcast_into(&mut length);
            numbers.resize(length as usize, 0);
            first.broadcast_into(&mut numbers[..]);
            numbers
        }
    }
}
