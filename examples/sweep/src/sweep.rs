//! All shards of a sweep: runs the missing ones, then merges all.

use std::fs;
use std::num::NonZero;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

use constraint_runtime::ensemble::Shards;

use crate::Failure;
use crate::file::{self, Shard};
use crate::pendulum::{self, Row, Settings, Summary};
use crate::ranks::Ranks;

/// A rank counts as lost if it writes no file for so many times the duration of the longest own shard.
const PATIENCE: u32 = 3;

/// A sweep and its directory.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// Settings of each run.
    pub settings: Settings,
    /// Division into shards.
    pub shards: Shards,
    /// Directory of the shards.
    pub directory: PathBuf,
    /// Store a row for each copy, not only the summary of each shard.
    pub rows: bool,
    /// Threads of each process; `None` for as many as the machine has.
    pub threads: Option<NonZero<usize>>,
}

impl Sweep {
    /// Runs the missing shards, each on one of the ranks, and merges all on rank 0.
    ///
    /// A rank that is done waits for the files of the next rank, and runs that rank's missing shards if no more files
    /// appear. A killed rank thus loses only its current shard, provided that MPI lets the other ranks continue.
    ///
    /// # Errors
    /// Those of a rank's own shards on that rank, and those of [`merged`](Self::merged).
    pub fn run(&self, ranks: impl Ranks) -> Result<Option<Summary>, Failure> {
        fs::create_dir_all(&self.directory).map_err(Failure::at(&self.directory))?;
        let (rank, size) = (ranks.rank(), ranks.size());
        let missing = if rank == 0 {
            self.missing()
        } else {
            Vec::new()
        };
        let missing = ranks.broadcast(missing);
        let of = |rank: usize| missing.iter().copied().skip(rank).step_by(size);
        let patience = PATIENCE * self.write_all(of(rank))?;
        let behind = self.wait_for(of((rank + 1) % size).collect(), patience);
        self.write_all(behind.into_iter())?;
        if rank > 0 {
            return Ok(None);
        }
        // Other ranks may be running the missing shards of lost ranks.
        self.wait_for(missing, 2 * patience);
        self.merged().map(Some)
    }

    /// Runs those of these shards that have no file yet; returns the duration of the longest.
    fn write_all(&self, shards: impl Iterator<Item = u64>) -> Result<Duration, Failure> {
        let mut longest = Duration::ZERO;
        for shard in shards.map(|shard| shard as usize) {
            let begun = Instant::now();
            if self.path(shard)?.exists() {
                continue;
            }
            match self.write(shard) {
                Ok(()) | Err(Failure::AlreadyWritten { .. }) => {}
                Err(failure) => return Err(failure),
            }
            longest = longest.max(begun.elapsed());
        }
        Ok(longest)
    }

    /// Waits until all files are there or none has appeared for this long; returns the missing shards.
    fn wait_for(&self, mut shards: Vec<u64>, patience: Duration) -> Vec<u64> {
        let mut last = Instant::now();
        loop {
            let before = shards.len();
            shards.retain(|&shard| self.path(shard as usize).is_ok_and(|path| !path.exists()));
            if shards.len() < before {
                last = Instant::now();
            }
            if shards.is_empty() || last.elapsed() >= patience {
                return shards;
            }
            sleep((patience / 50).max(Duration::from_millis(1)));
        }
    }

    /// The shards without a file.
    pub fn missing(&self) -> Vec<u64> {
        let all = 0..self.shards.count();
        let missing = all.filter(|&shard| self.path(shard).is_ok_and(|path| !path.exists()));
        missing.map(|shard| shard as u64).collect()
    }

    /// Runs one shard and writes its file.
    ///
    /// # Errors
    /// [`Failure::Settings`] for a shard that does not exist, [`Failure::AlreadyWritten`], [`Failure::File`].
    pub fn write(&self, shard: usize) -> Result<(), Failure> {
        let copies = self.shards.copies(shard)?;
        let mut rows: Vec<Row> = Vec::new();
        let summary = pendulum::run(&self.settings, copies.clone(), self.threads, |row| {
            if self.rows {
                rows.push(row);
            }
        })?;
        let path = self.path(shard)?;
        let shard = Shard {
            settings: self.settings,
            copies,
            summary,
        };
        file::publish(&path, &file::encoded(&shard, &rows))
    }

    /// The summary of all shards: the same to the last bit, in any order and by any process that wrote them.
    ///
    /// # Errors
    /// [`Failure::Missing`], and those of [`file::read`].
    pub fn merged(&self) -> Result<Summary, Failure> {
        let shards = self.missing().len();
        if shards > 0 {
            return Err(Failure::Missing { shards });
        }
        let mut all = Summary::new(&self.settings)?;
        for shard in 0..self.shards.count() {
            let path = self.path(shard)?;
            let shard = file::read(
                &path,
                &self.settings,
                &self.shards.copies(shard)?,
                self.rows,
            )?;
            all.merge(shard.summary)?;
        }
        Ok(all)
    }

    /// The file of a shard.
    ///
    /// # Errors
    /// [`Failure::Settings`] of a shard that there is not.
    pub fn path(&self, shard: usize) -> Result<PathBuf, Failure> {
        Ok(file::path_of(
            self.directory.as_path(),
            &self.shards.copies(shard)?,
        ))
    }
}
